import type { MarketType } from '../../domain/markets.ts';
import type { Texts } from './language.ts';

export const MARKET_TYPE_TEXTS: Texts<Readonly<Record<MarketType, string>>> = {
  es: {
    reference: 'oficial',
    parallel: 'paralelo',
    p2p: 'P2P',
    remittance: 'remesas',
    exchange_house: 'casa de cambio',
    cash: 'efectivo',
  },
  en: {
    reference: 'official',
    parallel: 'parallel',
    p2p: 'P2P',
    remittance: 'remittance',
    exchange_house: 'exchange house',
    cash: 'cash',
  },
};
