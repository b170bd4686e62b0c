import type { SwitchingTexts } from '../es/switching.ts';

export const SWITCHING_EN: SwitchingTexts = {
  here: 'On this service',
  off: '**These addresses are off here.** The operator turns them on with `VESFX_COMPAT={service}`.',
  key: '**These addresses are on here, and need a key.**',
  open: '**These addresses are on here, and need no key**: without one you get the markets of the cheapest plan, up to 60 times per minute from one IP address; with one, those of your plan.',
  costs:
    'Each answer to a key costs one unit of your [plan](/docs/reference/errors#plans), as in the whole API.',
  p2p: 'P2P sources are off until the operator turns them on: without them there is no quote to answer with.',
  keyTitle: 'The key',
  getKey:
    'Create it in the console, under [Keys](/console#claves), with the button *Create key*, or with the secret key that you have. The permission `rates` reads rates{series}. For web pages give their `origins` in the place of `allow_no_origin` ([more about publishable keys](/docs/public-keys)).',
  series: '; series need `history`',
  lineTitle: 'The line that changes',
  line: 'The base address contains the key, so the program needs no header. One that sends headers may use `{url}` with `X-API-Key` or `Authorization: Bearer`, where a secret key works too. Never put a secret key into an address.',
};
