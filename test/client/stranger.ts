import { type CapturedRate, type Conversion, Vesfx, VesfxError } from '@vesfx/client';

// A first program of a new user. It is compiled in a blank project, against the installed package.

const vesfx = new Vesfx({ baseUrl: 'http://127.0.0.1:8080', key: 'vfx_live_…' });

export async function worth(amount: number, via?: string): Promise<number | undefined> {
  try {
    const { to, stale }: Conversion = await vesfx.convert({ from: 'USD', to: 'VES', amount, via });
    return stale ? undefined : to.amount;
  } catch (error) {
    if (!(error instanceof VesfxError)) throw error;
    switch (error.code) {
      case 'resource_not_found':
      case 'rate_limit_exceeded':
      case 'timeout':
        return undefined;
      // @ts-expect-error There is no such code, so a typing error does not compile.
      case 'rate_limit_exceded':
        return undefined;
      default:
        throw error;
    }
  }
}

export async function* lastWeek(): AsyncGenerator<CapturedRate> {
  for await (const point of vesfx.history('parallel', { granularity: 'raw' })) yield point;
}

export const csv: Promise<string> = vesfx.rates({ format: 'csv' });
export const marked: Promise<number | undefined> = vesfx
  .rates({ markup: 'shop' })
  .then(({ rates }) => rates[0]?.mid_with_markup);

// @ts-expect-error An amount is required.
vesfx.convert({ from: 'USD', to: 'VES' }).catch(() => undefined);
// @ts-expect-error A misspelt parameter does not compile.
vesfx.rate('parallel', { fromat: 'csv' }).catch(() => undefined);
