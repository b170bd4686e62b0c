/**
 * Words that readers of either language use for a place and that its title lacks in both, by its
 * Spanish path. The search treats them like the title. A test compares the paths with the index.
 */
export const SEARCH_NAMES: Readonly<Record<string, string>> = {
  '/docs/first-request':
    'empezar obtener clave start get api key token autenticación authentication curl ejemplo example quickstart tasa BCV de hoy today',
  '/docs/invoice-rate':
    'zona horaria timezone UTC Caracas facturar billing IVA VAT tasa BCV del día fecha valor rate of the day value date conversión conversion histórica historical pasada',
  '/docs/invoice-rate#la-tasa-de-un-día-pasado':
    'ayer otro día otra fecha fin de semana yesterday another day date weekend',
  '/docs/invoice-rate#publicada-no-es-la-que-rige':
    'tasa de mañana próxima siguiente tomorrow next rate',
  '/docs/invoice-rate#qué-dirección-para-una-tasa-pasada':
    'libro de ventas compras lista de facturas sales book list of invoices',
  '/docs/invoice-rate#guardar-la-tasa-con-la-factura':
    'nota de crédito reembolso devolución credit note refund',
  '/docs/invoice-rate#qué-dice-la-ley-y-quién-lo-dice':
    'SENIAT IGTF impuesto tax alícuota percepción pago en divisas payment in foreign currency',
  '/docs/markups': 'margin margen recargo',
  '/docs/markets': 'paralelo parallel binance USDT euro alias remesas remittances zelle',
  '/docs/history':
    'histórico historical descargar download Excel serie series tasas pasadas past rates',
  '/docs/history#para-una-hoja-de-cálculo': 'CSV',
  '/docs/errors': 'reintentar reintento retry retries fallas failures manejar handle',
  '/docs/errors#cómo-reintentar': '429',
  '/docs/limits':
    'cuota quota rate limit consultas por minuto requests per minute unidades units precio price',
  '/docs/public-keys':
    'Google Sheets Excel CORS navegador browser clave publicable publishable key',
  '/docs/self-hosting':
    'self host autohospedar selfhost hospedar alojar hosting instalar install servidor propio own server',
  '/docs/self-hosting#verlo-primero': 'sandbox pruebas demo demonstration',
  '/docs/google-sheets':
    'hojas de cálculo spreadsheet Google Sheets Apps Script fórmula formula importdata',
  '/docs/excel': 'hoja de cálculo spreadsheet Power Query',
  '/docs/excel#una-lista-de-precios': 'imprimir etiquetas print labels',
  '/docs/pandas': 'python dataframe notebook',
  '/docs/odoo': 'ERP contabilidad accounting módulo add-on module',
  '/docs/woocommerce': 'WordPress tienda shop plugin php',
  '/docs/woocommerce#reembolsos': 'devolución nota de crédito credit note return',
  '/docs/till':
    'POS punto de venta vuelto change cash efectivo pago móvil offline sin conexión medianoche midnight redondeo rounding',
  '/docs/php-invoice': 'facturar billing PDO SQLite',
  '/docs/php-invoice#un-reembolso': 'devolución nota de crédito credit note return',
  '/docs/js-shop': 'ecommerce node',
  '/docs/month-end':
    'cierre de mes month-end closing rate tasa de cierre revalorización revaluation BUSCARV VLOOKUP diferencia en cambio diferencial cambiario cambiaria exchange difference gain loss ganancia pérdida',
  '/docs/website': 'widget HTML vesfx-rate embeber embed sitio web site website mostrar show',
  '/docs/client': 'npm SDK TypeScript node librería library',
  '/docs/examples': 'SDK librería library ejemplo sample código code Laravel',
  '/docs/board-data': 'gratis free sin clave no key widget',
  '/docs/stream': 'SSE EventSource websocket tiempo real real time en vivo live',
  '/docs/webhooks': 'push notificación notification callback evento event aviso',
  '/docs/assistants': 'IA AI inteligencia artificial MCP Copilot agente agent',
  '/docs/reference': 'openapi swagger postman insomnia esquema schema llms markdown',
  '/docs/reference/account#createKey': 'obtener clave nueva get new api key',
  '/docs/reference/analysis#getSpread': 'spread diferencial premium gap brecha',
  '/docs/reference/conversion#compareMarkets': 'ruta route mejor tasa best rate',
  '/docs/reference/rates#getCoverage': 'huecos días faltantes gaps missing days',
  '/docs/reference/rates#getHistory': 'histórico historical CSV Excel descargar download',
  '/methodology#calculations': 'precisión precision redondeo rounding decimales decimals',
  '/methodology#index': 'promedio ponderado cálculo weighted average calculation',
};

/** Words that say nothing of a place. The search finds them in every text, so that they leave none out. */
export const SMALL_WORDS =
  'a al con de del el en la las lo los mi o por que se su un una y an and are for how i in is it my of on or the to';
