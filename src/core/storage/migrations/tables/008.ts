/** JSON of what is remembered of a market; null until its next quote. It replaces single columns. */
export const MEMORY_COLUMN = { memory: 'text' } as const;
export const REPLACED_COLUMNS = ['supported_mid', 'supported_at', 'drifted_at', 'step'] as const;

/** Whether an operator has checked the records of a batch. */
export const TRUSTED_COLUMN = { trusted: 'smallint not null default 0' } as const;
