import { sentence } from '../../core/domain/errors/sentence.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { MAX_BOARD_STREAMS_PER_ADDRESS } from './limits.ts';

const FULL = sentence(
  'The service has as many streams open as it may have.',
  'El servicio tiene abiertos tantos flujos como puede tener.',
);
const ADDRESS_FULL = sentence(
  'This address has as many streams of the board open as it may have.',
  'Esta dirección tiene abiertos tantos flujos del tablero como puede tener.',
);
const PLAN_FULL = sentence(
  'The account has as many streams open as its plan allows.',
  'La cuenta tiene abiertos tantos flujos como permite su plan.',
);

const FULL_RETRY_SEC = 5;
/** A client may have lost a stream that the service still counts. */
const LOST_RETRY_SEC = 10;

export function noRoom(): ApiError {
  return new ApiError('service_unavailable', { message: FULL, retryAfterSec: FULL_RETRY_SEC });
}

export function tooManyOfPlan(max: number | null): ApiError {
  const details = { limit: 'streams', max };
  return new ApiError('rate_limit_exceeded', {
    ...{ message: PLAN_FULL, details, retryAfterSec: LOST_RETRY_SEC },
  });
}

export function tooManyOfAddress(): ApiError {
  const details = { limit: 'streams', max: MAX_BOARD_STREAMS_PER_ADDRESS };
  return new ApiError('rate_limit_exceeded', {
    ...{ message: ADDRESS_FULL, details, retryAfterSec: LOST_RETRY_SEC },
  });
}
