const UNITS_SINCE =
  'Los días desde entonces y hasta hoy desde los cuales un bolívar nuevo son varios viejos, del más antiguo al más reciente: las tasas están en la unidad del día pedido. Ausente si no hay ninguno, y con `adjusted=true`.';

/** What fields about the unit of figures mean, in Spanish, by their name. */
export const SPANISH_UNIT_FIELDS: Readonly<Record<string, string>> = {
  'Board.unit_changes':
    'Los días, hasta el de la próxima tasa oficial, desde los cuales un bolívar nuevo son varios viejos: esa tasa está en el nuevo; ausente si no hay ninguno.',
  unit_changes:
    'Los días después del primero del rango, hasta hoy o hasta un final posterior de él, desde los cuales un bolívar nuevo son varios viejos, del más antiguo al más reciente: cada tasa está en la unidad de su día. Ausente si no hay ninguno, y con `adjusted=true`.',
  'Unit change.on': 'Desde este día, en Caracas, las tasas están en la unidad nueva.',
  'Unit change.factor': 'Cuántos bolívares viejos es uno nuevo.',
  'As of.unit_changes': UNITS_SINCE,
  'As of day.unit_changes': UNITS_SINCE,
  'Point.unit_changes': UNITS_SINCE,
  adjusted:
    '`true` da todas las tasas en la unidad más reciente de la moneda; por defecto, cada una está en la unidad de su día.',
};
