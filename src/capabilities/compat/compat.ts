import type { Capability } from '../../core/capability.ts';
import { ConfigError, isSwitchedOn, readList } from '../../core/config.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import type { Endpoint } from '../../core/http/pipeline/endpoint.ts';

/** The other services whose addresses this one can answer, by their name in `VESFX_COMPAT`. */
const SERVICES = {
  dolarapi: async (derived) => (await import('./services/dolarapi.ts')).dolarapiAddresses(derived),
  pydolarve: async () => (await import('./services/pydolarve.ts')).pydolarveAddresses,
  criptoya: async () => (await import('./services/criptoya.ts')).criptoyaAddresses,
  frankfurter: async () => (await import('./services/frankfurter.ts')).frankfurterAddresses,
  'er-api': async () => (await import('./services/er-api.ts')).erApiAddresses,
  dolarvzla: async () => (await import('./services/dolarvzla.ts')).dolarvzlaAddresses,
  rafnixg: async () => (await import('./services/rafnixg.ts')).rafnixgAddresses,
  yadio: async () => (await import('./services/yadio.ts')).yadioAddresses,
  bcvapi: async () => (await import('./services/bcvapi.ts')).bcvapiAddresses,
  bcvtoday: async () => (await import('./services/bcvtoday.ts')).bcvtodayAddresses,
  exchangedyn: async () => (await import('./services/exchangedyn.ts')).exchangedynAddresses,
  dolartoday: async () => (await import('./services/dolartoday.ts')).dolartodayAddresses,
  fawazahmed0: async () => (await import('./services/fawazahmed0.ts')).fawazahmed0Addresses,
} as const satisfies Readonly<Record<string, (derived: boolean) => Promise<readonly Endpoint[]>>>;

export type ServiceName = keyof typeof SERVICES;

const ALL = Object.keys(SERVICES).join(', ');
const listed = ALL.replaceAll(/[\w-]+/g, '`$&`');

/** Whether each is named. @throws ConfigError for an unknown name, whose addresses would be missing. */
function readNames(text = ''): (name: string) => boolean {
  const names = readList(text);
  const unknown = names.find((name) => !Object.hasOwn(SERVICES, name));
  if (unknown === undefined) return (name) => names.includes(name);
  throw new ConfigError(`VESFX_COMPAT: "${unknown}" is not one of ${ALL}.`);
}

/** What the names below a host end with; undefined without one. @throws ConfigError for another text. */
function readKeyHost(text = ''): string | undefined {
  if (text === '') return undefined;
  if (/^\*(?:\.[a-z0-9-]+)+$/.test(text)) return text.slice(1);
  throw new ConfigError(
    `VESFX_COMPAT_HOST must be *. and a host name in small letters, such as *.rates.example, not "${text}".`,
  );
}

const readOpen = (text = '0') => isSwitchedOn('VESFX_COMPAT_OPEN', text);
const readDerived = (text = '1') => isSwitchedOn('VESFX_COMPAT_DERIVED', text);

/** Other services' addresses, answered at the root of this one (contract §12). */
export const compat: Capability = {
  name: 'compat',
  settings: {
    VESFX_COMPAT: {
      about: 'other services whose addresses are answered',
      byDefault: `none\n${' '.repeat(32)}(${ALL})`,
      shownDefault: sentence('none', 'ninguno'),
      meaning: sentence(
        `Other services whose [addresses](contract.md#12-addresses-of-other-services) this one also answers, separated by commas: ${listed}. An unknown name stops the start with exit code 2`,
        `Otros servicios en cuyas [direcciones](contract.md#12-addresses-of-other-services) también responde este servicio, separados por comas: ${listed}. Un nombre desconocido impide el arranque, con código de salida 2`,
      ),
      check: readNames,
      inDemonstration: ALL,
    },
    VESFX_COMPAT_OPEN: {
      about: '1: no key is needed at those addresses',
      byDefault: '0',
      shownDefault: '`0`',
      meaning: sentence(
        '`1`: those addresses need no key: markets of the cheapest plan, 60 requests per minute from one IP address, from any web page',
        '`1`: esas direcciones no piden clave: mercados del plan más económico, 60 consultas por minuto desde una dirección IP, desde cualquier página web',
      ),
      check: readOpen,
    },
    VESFX_COMPAT_DERIVED: {
      about: '0: no figure that nobody publishes',
      byDefault: '1',
      shownDefault: '`1`',
      meaning: sentence(
        '`0`: those addresses have no euro of the parallel market, which nobody publishes: it is the parallel dollar times the official euro in dollars',
        '`0`: esas direcciones no tienen euro del mercado paralelo, que nadie publica: es el dólar paralelo por el euro oficial en dólares',
      ),
      check: readDerived,
    },
    VESFX_COMPAT_HOST: {
      about: 'host names whose first label may be a publishable key',
      byDefault: 'none (*.rates.example)',
      shownDefault: sentence('none', 'ninguno'),
      meaning: sentence(
        '`*.rates.example`: at those addresses a publishable key may be the [first label of the host name](contract.md#12-addresses-of-other-services). It needs a DNS record and a certificate for that name',
        '`*.rates.example`: en esas direcciones una clave publicable puede ser la [primera parte del nombre del servidor](contract.md#12-addresses-of-other-services). Requiere un registro DNS y un certificado para ese nombre',
      ),
      check: readKeyHost,
    },
  },
  async open({ config: { added } }) {
    const isNamed = readNames(added['VESFX_COMPAT']);
    const named = Object.entries(SERVICES).filter(([name]) => isNamed(name));
    const derived = readDerived(added['VESFX_COMPAT_DERIVED']);
    const loaded = (await Promise.all(named.map(([, load]) => load(derived)))).flat();
    // Two services may have the same path. The first one answers.
    const distinct = [...Map.groupBy(loaded, ({ path }) => path).values()].flatMap(
      ([one]) => one ?? [],
    );
    const keyHost = readKeyHost(added['VESFX_COMPAT_HOST']);
    const endpoints = distinct.map((one) => ({ ...one, keyHost }));
    if (!readOpen(added['VESFX_COMPAT_OPEN'])) return { endpoints };
    const { WITHOUT_KEY } = await import('./without-key.ts');
    return { endpoints: endpoints.map((one) => ({ ...one, ...WITHOUT_KEY })) };
  },
};
