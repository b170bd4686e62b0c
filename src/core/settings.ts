import { type Sentence, sentence } from './domain/errors/sentence.ts';

/** A text of the table of settings; one that is the same in both languages is a word or a value. */
type TableText = string | Sentence;

/** A setting as the help and the table of the operator's page say it. */
export interface SettingTexts {
  /** What the help says. */
  readonly about: string;
  /** Its default, as the help says it. */
  readonly byDefault?: string;
  /** The flag that wins over it. */
  readonly flag?: string;
  /** Its default, as the table of the operator's page says it. */
  readonly shownDefault: TableText;
  /** What the table says. */
  readonly meaning: TableText;
  /** It may also stand in a file, which the variable with `_FILE` behind its name gives. */
  readonly isSecret?: true;
}

/** Every setting in the order of the help. `config.ts` reads them. */
export const SETTINGS = {
  VESFX_ENV_FILE: {
    about: 'file with more of these variables',
    byDefault: 'none',
    shownDefault: sentence('none', 'ninguno'),
    meaning: sentence(
      'A file with more of these variables, one `NAME=value` a line, with quotes around a value that has a `#`. The environment wins over the file. What would do nothing there is refused: a `VESFX_` name that is no setting, `NODE_…` (but not `NODE_EXTRA_CA_CERTS`), and proxies',
      'Un archivo con más de estas variables, un `NAME=value` por línea, con comillas si el valor tiene un `#`. El entorno se impone al archivo. Se rechaza lo que ahí no haría nada: un nombre `VESFX_` que no existe, `NODE_…` (pero no `NODE_EXTRA_CA_CERTS`) y los proxies',
    ),
  },
  VESFX_HOST: {
    about: 'address to listen on',
    byDefault: '127.0.0.1',
    flag: '--host',
    shownDefault: '`127.0.0.1`',
    meaning: sentence('Address to listen on', 'Dirección en la que escucha'),
  },
  VESFX_PORT: {
    about: 'port to listen on',
    byDefault: '8080',
    flag: '--port',
    shownDefault: '`8080`',
    meaning: sentence('Port; 0 takes any free one', 'Puerto; 0 toma cualquiera libre'),
  },
  VESFX_DATA: {
    about: 'folder of the database',
    byDefault: 'data',
    flag: '--data',
    shownDefault: '`data`',
    meaning: sentence('Folder of `vesfx.db`', 'Carpeta de `vesfx.db`'),
  },
  VESFX_DATABASE_URL: {
    isSecret: true,
    about: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE, or sqlite:FOLDER',
    shownDefault: '',
    meaning: sentence(
      '`postgres://…` for a [PostgreSQL database](#postgresql), or `sqlite:FOLDER`, the same as `--data`',
      '`postgres://…` para una base de datos [PostgreSQL](#postgresql), o `sqlite:FOLDER`, lo mismo que `--data`',
    ),
  },
  VESFX_DATABASE_WAIT_SEC: {
    about: 'seconds in which a start waits for it',
    byDefault: '120',
    shownDefault: '120',
    meaning: sentence(
      'Seconds, 0 to 3600, in which a start waits for a database that cannot be reached yet ([PostgreSQL](#postgresql))',
      'Segundos, de 0 a 3600, que un arranque espera por una base de datos a la que todavía no se llega ([PostgreSQL](#postgresql))',
    ),
  },
  VESFX_CATALOG: {
    about: 'folder of the catalogue',
    byDefault: 'catalog in the data folder, or packaged',
    shownDefault: sentence(
      "`catalog` in the data folder if it is there, else the package's",
      '`catalog` en la carpeta de datos si existe; si no, el del paquete',
    ),
    meaning: sentence(
      "Folder of the catalogue (below); missing files are the package's. With PostgreSQL the default is the package's",
      'Carpeta del catálogo (abajo); los archivos que falten son los del paquete. Con PostgreSQL, por defecto es el del paquete',
    ),
  },
  VESFX_ADMIN_TOKEN: {
    isSecret: true,
    about: 'opens /v1/admin/records',
    byDefault: 'closed',
    shownDefault: sentence('none', 'ninguno'),
    meaning: sentence(
      'Opens `/v1/admin/records`, and `/metrics` if the next one is not set; at least 16 characters',
      'Abre `/v1/admin/records`, y `/metrics` si no se define la siguiente; al menos 16 caracteres',
    ),
  },
  VESFX_METRICS_TOKEN: {
    isSecret: true,
    about: 'opens /metrics',
    byDefault: 'the admin token',
    shownDefault: sentence('none', 'ninguno'),
    meaning: sentence(
      'Opens `/metrics` and nothing else, in the place of the admin token; at least 16 characters',
      'Abre `/metrics` y nada más, en lugar del token de administración; al menos 16 caracteres',
    ),
  },
  VESFX_METRICS_ACCOUNTS: {
    about: '1: /metrics names accounts with their units',
    byDefault: '0',
    shownDefault: '`0`',
    meaning: sentence(
      '`1`: [metrics](#metrics) have the units of each account, by its id',
      '`1`: las [métricas](#métricas) tienen las unidades de cada cuenta, por su id',
    ),
  },
  VESFX_PUBLIC_URL: {
    about: 'public address of the service, for links',
    byDefault: 'the listening one',
    shownDefault: sentence('the listening address', 'la dirección en que escucha'),
    meaning: sentence(
      'Address at which callers reach the service, for links. Without this and the next variable a service that listens beyond this machine warns',
      'Dirección en la que los clientes consultan el servicio, para los enlaces. Sin esta variable ni la siguiente, un servicio que escucha para otras máquinas lo advierte',
    ),
  },
  VESFX_PUBLIC_HOSTS: {
    about: 'origins accepted from Host, for links',
    byDefault: 'none',
    shownDefault: sentence('none', 'ninguno'),
    meaning: sentence(
      'Without `VESFX_PUBLIC_URL`: origins (`https://rates.example.net`, separated by commas) at which callers reach the service. Links have the one that is the `Host` of a request, else the listening address',
      'Sin `VESFX_PUBLIC_URL`: orígenes (`https://rates.example.net`, separados por comas) en los que los clientes consultan el servicio. Los enlaces llevan el que es el `Host` de una consulta; si no, la dirección en que escucha',
    ),
  },
  VESFX_CORS_ORIGINS: {
    about: 'origins from which browsers may call',
    byDefault: 'none',
    shownDefault: sentence('none', 'ninguno'),
    meaning: sentence(
      'Origins from which browsers may call, separated by commas, each as `https://host` or `https://host:port`; `*` and patterns are refused',
      'Orígenes desde los que pueden consultar los navegadores, separados por comas, cada uno como `https://host` o `https://host:port`; `*` y los patrones se rechazan',
    ),
  },
  VESFX_TRUST_PROXY: {
    about: '1 or true behind a proxy with X-Forwarded-For',
    byDefault: '0',
    shownDefault: '`0`',
    meaning: sentence(
      "`1` or `true`: the caller's address is the last of `X-Forwarded-For`",
      '`1` o `true`: la dirección del cliente es la última de `X-Forwarded-For`',
    ),
  },
  VESFX_CONTACT: {
    about: 'address or e-mail sent to the sources',
    byDefault: 'none',
    shownDefault: sentence('none', 'ninguno'),
    meaning: sentence(
      'A web or mail address, sent to every source in `User-Agent`',
      'Una dirección web o de correo, que se envía a cada fuente en `User-Agent`',
    ),
  },
  VESFX_ALLOW_LOOPBACK_SOURCES: {
    about: '1 to read sources on this machine (tests)',
    byDefault: '0',
    shownDefault: '`0`',
    meaning: sentence(
      '`1`: sources may be servers on this machine, even without TLS (`dollar_url` always needs it); for tests',
      '`1`: las fuentes pueden ser servidores de esta máquina, incluso sin TLS (`dollar_url` siempre lo exige); para pruebas',
    ),
  },
  VESFX_KEEP_RAW: {
    about: 'all: keep every capture beyond the plans',
    byDefault: 'plans',
    shownDefault: '`plans`',
    meaning: sentence(
      '`all`: keep every capture ([what is kept](#what-is-kept))',
      '`all`: se conservan todas las capturas ([qué se guarda](#qué-se-guarda))',
    ),
  },
  VESFX_DRAIN_SEC: {
    about: 'seconds it accepts requests after a stop signal',
    byDefault: '1',
    shownDefault: '`1`',
    meaning: sentence(
      'Seconds, 0 to 60, during which a stopping service still takes requests ([stopping](#stopping))',
      'Segundos, de 0 a 60, durante los que un servicio que se detiene sigue recibiendo consultas ([detenerlo](#detenerlo))',
    ),
  },
  VESFX_PUBLIC: {
    about: '0 or false: no calculator without a key',
    byDefault: '1',
    shownDefault: '`1`',
    meaning: sentence(
      '`0` or `false`: no [calculator](contract.md#11-without-a-key-and-keys-for-browsers) for callers without a key: 404',
      '`0` o `false`: no hay [calculadora](contract.md#11-without-a-key-and-keys-for-browsers) para quienes consultan sin clave: 404',
    ),
  },
  VESFX_LOG_LEVEL: {
    about: 'silent, error, warn, info or debug',
    byDefault: 'info',
    shownDefault: '`info`',
    meaning: sentence(
      '`silent`, `error`, `warn`, `info` or `debug`: with a line for each answer ([access log](#access-log))',
      '`silent`, `error`, `warn`, `info` o `debug`: con una línea por respuesta ([registro de acceso](#registro-de-acceso))',
    ),
  },
  VESFX_LOG_ADDRESSES: {
    about: '1: the access log has the addresses of callers',
    byDefault: '0',
    shownDefault: '`0`',
    meaning: sentence(
      '`1`: lines of the [access log](#access-log) have the address of the caller',
      '`1`: las líneas del [registro de acceso](#registro-de-acceso) tienen la dirección del cliente',
    ),
  },
} as const satisfies Readonly<Record<string, SettingTexts>>;

/** Rows of the table that are no setting: a flag of one command, and what only commands read. */
export const OTHER_ROWS = [
  {
    name: '',
    flag: '--workers',
    shownDefault: sentence('one process', 'un proceso'),
    meaning: sentence(
      "Processes that answer on that port: 1 to 64, or `auto` for one per core and 400 MB of memory, also of a container's limit ([how to grow](#how-to-grow))",
      'Procesos que responden en ese puerto: de 1 a 64, o `auto` para uno por núcleo y 400 MB de memoria, también la del límite de un contenedor ([cómo crecer](#cómo-crecer))',
    ),
  },
  {
    name: 'VESFX_DEBUG',
    shownDefault: sentence('off', 'apagada'),
    meaning: sentence(
      '`1`: unexpected errors of commands show where they come from',
      '`1`: los errores inesperados de los comandos muestran de dónde vienen',
    ),
  },
] as const;
