<?php
// A client of vesfx in one file: rates, conversions, history, webhooks. Copy it into your project.
//
//   require 'vesfx.php';
//   $quote = (new Vesfx('https://rates.example', $key))->convert('USD', 'VES', '100', date: '2026-11-20');
//   echo number_format($quote->toAmount, 2, '.', ''), ' ', $quote->rate, ' ', $quote->effectiveDate;
//
// Without number_format, PHP shows 14 digits of an amount, as long as its setting "precision" is 14.
//
// As a command it prints an amount in bolívares, with the rate, its age and its source:
//
//   VESFX_URL=http://127.0.0.1:8080 VESFX_KEY=vfx_live_… php vesfx.php 100 parallel
//
// What the client and the service say of an error is in Spanish or English, as the locale of the process says (LC_ALL,
// LC_MESSAGES or LANG); a web server often has none, so there name it: new Vesfx($url, $key, language: 'es').
//
// PHP 8.1 or later, without extensions; `allow_url_fopen` must be on, as it is when PHP is installed.
declare(strict_types=1);

/** An error of the service. Decide on $errorCode: sentences may change. */
final class VesfxError extends Exception
{
    /**
     * @param int $status 0 when there was no answer
     * @param array<string, mixed> $details
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly int $status = 0,
        public readonly ?string $field = null,
        public readonly array $details = [],
        public readonly ?int $retryAfterSec = null,
    ) {
        parent::__construct($message);
    }
}

/** From this day in Caracas on, one new bolívar is $factor old ones. */
final class VesfxUnitChange
{
    public function __construct(public readonly string $on, public readonly int $factor)
    {
    }

    /**
     * @param array<string, mixed> $answer
     * @return list<self>
     */
    public static function listOf(array $answer): array
    {
        $changes = $answer['unit_changes'] ?? [];
        return array_map(static fn (array $one): self => new self($one['on'], $one['factor']), $changes);
    }
}

/**
 * Where the rate of a past day comes from: keep it with an invoice. $rule ("value_date" or "next_banking_day"),
 * $valueDate and $carriedDays (days since it) are those of official rates only.
 */
final class VesfxAsOf
{
    public function __construct(
        public readonly string $date,
        public readonly ?string $rule,
        public readonly bool $businessDay,
        public readonly ?string $valueDate,
        public readonly string $capturedAt,
        public readonly ?int $carriedDays,
    ) {
    }

    /** @param ?array<string, mixed> $given */
    public static function of(?array $given): ?self
    {
        return $given === null ? null : new self(
            $given['date'],
            $given['rule'] ?? null,
            $given['business_day'],
            $given['value_date'] ?? null,
            $given['captured_at'],
            $given['carried_days'] ?? null,
        );
    }
}

/**
 * What one unit of $base costs in bolívares. $effectiveDate is the value date, of official rates only.
 * A rate of a past day is in the bolívar of that day: $unitChanges has the reforms since, oldest first.
 */
final class VesfxRate
{
    /** @param list<VesfxUnitChange> $unitChanges */
    public function __construct(
        public readonly string $market,
        public readonly string $base,
        public readonly float $mid,
        public readonly ?float $ask,
        public readonly ?float $bid,
        public readonly string $updatedAt,
        public readonly ?string $effectiveDate,
        public readonly array $unitChanges = [],
        public readonly ?VesfxAsOf $asOf = null,
    ) {
    }
}

/**
 * The current rate of a market. $stale: it is older than it should be, do not rely on it. $evidence is the id
 * by which its operator finds where the figure comes from.
 */
final class VesfxCurrentRate
{
    public function __construct(
        public readonly string $market,
        public readonly float $mid,
        public readonly ?string $effectiveDate,
        public readonly bool $stale,
        public readonly string $evidence,
    ) {
    }
}

/**
 * $stalenessSec is null for a past date. $stale: the rate is older than it should be, do not rely on it.
 * Rate and amounts of a past day are in the bolívar of that day: $unitChanges has the reforms since.
 */
final class VesfxConversion
{
    /** @param list<VesfxUnitChange> $unitChanges */
    public function __construct(
        public readonly string $fromCurrency,
        public readonly float $fromAmount,
        public readonly string $toCurrency,
        public readonly float $toAmount,
        public readonly float $rate,
        public readonly string $market,
        public readonly ?string $effectiveDate,
        public readonly ?int $stalenessSec,
        public readonly bool $stale,
        public readonly array $unitChanges = [],
        public readonly ?VesfxAsOf $asOf = null,
    ) {
    }
}

/** The last rate of a UTC day, in the bolívar of that day: $unitChanges has the reforms since. */
final class VesfxPoint
{
    /** @param list<VesfxUnitChange> $unitChanges */
    public function __construct(
        public readonly string $date,
        public readonly float $rate,
        public readonly string $capturedAt,
        public readonly array $unitChanges = [],
    ) {
    }
}

final class VesfxOfficialRate
{
    public function __construct(
        public readonly float $rate,
        public readonly string $valueDate,
        public readonly string $effectiveAt,
    ) {
    }

    /** @param ?array<string, mixed> $given */
    public static function of(?array $given): ?self
    {
        return $given === null ? null : new self($given['rate'], $given['value_date'], $given['effective_at']);
    }
}

/** The official rates of a currency; null for one that is not known or not published yet. */
final class VesfxOfficialCurrency
{
    public function __construct(
        public readonly ?VesfxOfficialRate $inForce,
        public readonly ?VesfxOfficialRate $previous,
        public readonly ?VesfxOfficialRate $next,
    ) {
    }
}

/** A rate that is not confirmed. Do not rely on it. */
final class VesfxRateInDoubt
{
    /** @param list<string> $reasons */
    public function __construct(
        public readonly string $currency,
        public readonly string $valueDate,
        public readonly float $rate,
        public readonly array $reasons,
    ) {
    }
}

/** $overdue: the next rate should have been published by now. The rate in force may be old. */
final class VesfxOfficial
{
    /**
     * @param array<string, VesfxOfficialCurrency> $rates by currency, such as 'USD'
     * @param list<VesfxRateInDoubt> $inDoubt
     */
    public function __construct(
        public readonly array $rates,
        public readonly array $inDoubt,
        public readonly bool $overdue,
    ) {
    }
}

/**
 * The official rate of a day in Caracas, by both rules, in the bolívar of that day: $unitChanges has the
 * reforms since. $nextBankingDayRate is null until it is published.
 */
final class VesfxOfficialDay
{
    /** @param list<VesfxUnitChange> $unitChanges */
    public function __construct(
        public readonly string $date,
        public readonly float $rate,
        public readonly string $valueDate,
        public readonly bool $businessDay,
        public readonly int $carriedDays,
        public readonly ?string $nextBankingDay,
        public readonly ?float $nextBankingDayRate,
        public readonly array $unitChanges = [],
    ) {
    }

    /**
     * @param array<string, mixed> $answer
     * @return list<self>
     */
    public static function listOf(array $answer): array
    {
        $changes = VesfxUnitChange::listOf($answer);
        return array_map(
            static fn (array $one): self => new self(
                $one['date'],
                $one['rate'],
                $one['value_date'],
                $one['business_day'],
                $one['carried_days'],
                $one['next_banking_day'] ?? null,
                $one['next_banking_day_rate'] ?? null,
                array_values(array_filter($changes, static fn (VesfxUnitChange $change): bool => $change->on > $one['date'])),
            ),
            $answer['rows'],
        );
    }
}

/**
 * The days of a month with its close: the rate in force on the last day. Close and average are null when
 * they are not known. $missing: business days without a stored rate.
 */
final class VesfxOfficialMonth
{
    /**
     * @param list<VesfxOfficialDay> $rows
     * @param list<string> $missing
     */
    public function __construct(
        public readonly string $month,
        public readonly ?float $close,
        public readonly ?string $closeValueDate,
        public readonly ?float $average,
        public readonly array $rows,
        public readonly array $missing,
    ) {
    }
}

/** $missing: business days without a stored rate. Do not fill them with another day's. */
final class VesfxOfficialHistory
{
    /**
     * @param list<VesfxOfficialDay> $rows
     * @param list<string> $missing
     */
    public function __construct(public readonly array $rows, public readonly array $missing)
    {
    }
}

final class VesfxBankDay
{
    public function __construct(
        public readonly string $date,
        public readonly bool $businessDay,
        public readonly string $nextValueDate,
        public readonly ?string $holiday,
    ) {
    }
}

/** After $announcedUntil the holidays are not announced yet. */
final class VesfxCalendar
{
    /** @param list<VesfxBankDay> $days */
    public function __construct(public readonly array $days, public readonly string $announcedUntil)
    {
    }
}

/** What a webhook tells. $id is the same in every attempt to send it. Ignore a $type that you do not know. */
final class VesfxWebhookMessage
{
    /** @param array<string, mixed> $data */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
        public readonly array $data,
    ) {
    }
}

/** What the client says itself, in English and Spanish. */
final class VesfxWords
{
    private const TEXTS = [
        'secret' => ['$secret is the secret of a webhook, whsec_…', '$secret es el secreto de un webhook, whsec_…'],
        'header' => ['The request has no header %s.', 'La petición no tiene la cabecera %s.'],
        'time' => ['The message is not of the last five minutes.', 'El mensaje no es de los últimos cinco minutos.'],
        'signature' => ['The message was not signed with this secret.', 'El mensaje no fue firmado con este secreto.'],
        'body' => ['The body is no JSON object.', 'El cuerpo no es un objeto JSON.'],
        'empty' => ['%s is empty', '`%s` está vacío'],
        'status' => ['The status was %s.', 'El código de estado fue %s.'],
        'silent' => ['The service does not answer.', 'El servicio no responde.'],
        'value date' => ['value date %s', 'fecha valor %s'],
        'age' => ['%s old', 'de hace %s'],
        'days' => ['%s days', '%s días'],
        'stale' => [': STALE, do not rely on it', ': DESACTUALIZADA, no la use'],
    ];

    /** @param ?string $language 'es' or 'en'; null for that of the process */
    public static function language(?string $language = null): string
    {
        $named = $language ?? (getenv('LC_ALL') ?: getenv('LC_MESSAGES') ?: getenv('LANG') ?: '');
        return strncasecmp($named, 'es', 2) === 0 ? 'es' : 'en';
    }

    public static function text(string $language, string $name, string ...$values): string
    {
        return sprintf(self::TEXTS[$name][$language === 'es' ? 1 : 0], ...$values);
    }
}

/** Calls one service with one key. Waits and asks again when the service says so (429, 503). */
final class Vesfx
{
    /** The day of the current rate. An empty day is refused: a blank cell must not mean today. */
    public const NOW = 'now';
    private const TIMEOUT_SEC = 10;
    private const TRIES = 4;
    private const WEBHOOK_TOLERANCE_SEC = 300;

    private readonly string $language;

    /**
     * @param int $longestWaitSec for the page of a shop choose 0: it must not wait
     * @param ?string $language of what errors say: 'es' or 'en'; null for that of the process
     */
    public function __construct(
        private readonly string $url,
        private readonly string $key,
        private readonly int $longestWaitSec = 60,
        ?string $language = null,
    ) {
        $this->language = VesfxWords::language($language);
    }

    /**
     * The rates of all markets in your plan, now or of a day in Caracas (YYYY-MM-DD).
     *
     * @return list<VesfxRate>
     */
    public function rates(?string $date = self::NOW): array
    {
        return array_map(
            static fn (array $row): VesfxRate => new VesfxRate(
                $row['market'],
                $row['base'],
                $row['mid'],
                $row['ask'] ?? null,
                $row['bid'] ?? null,
                $row['updated_at'],
                $row['effective_date'] ?? null,
                VesfxUnitChange::listOf($row['as_of'] ?? []),
                VesfxAsOf::of($row['as_of'] ?? null),
            ),
            $this->get('/v1/fx/rates', ['date' => $this->given('date', $date, self::NOW)])['rates'],
        );
    }

    /** The current rate of a market, with its evidence. */
    public function rate(string $market): VesfxCurrentRate
    {
        $answer = $this->get('/v1/fx/rates/' . rawurlencode($market), ['details' => 'true']);
        return new VesfxCurrentRate(
            $answer['market'],
            $answer['mid'],
            $answer['effective_date'] ?? null,
            $answer['stale'],
            $answer['evidence'],
        );
    }

    /** Converts at the official rate, or at the market named in $via. */
    public function convert(
        string $from,
        string $to,
        string $amount,
        ?string $via = null,
        ?string $date = self::NOW,
        ?string $rule = null,
    ): VesfxConversion {
        $query = ['from' => $from, 'to' => $to, 'amount' => $amount, 'via' => $via];
        $query['date'] = $this->given('date', $date, self::NOW);
        $query['rule'] = $this->given('rule', $rule, null);
        $answer = $this->get('/v1/fx/convert', $query);
        return new VesfxConversion(
            $answer['from']['currency'],
            $answer['from']['amount'],
            $answer['to']['currency'],
            $answer['to']['amount'],
            $answer['rate'],
            $answer['market'],
            $answer['effective_date'] ?? null,
            $answer['staleness_sec'] ?? null,
            $answer['stale'] ?? false,
            VesfxUnitChange::listOf($answer['as_of'] ?? []),
            VesfxAsOf::of($answer['as_of'] ?? null),
        );
    }

    /**
     * The last rate of each UTC day, both ends included; without them what your plan shows.
     *
     * @return list<VesfxPoint>
     */
    public function history(string $market, ?string $from = null, ?string $to = null): array
    {
        $path = '/v1/fx/rates/' . rawurlencode($market) . '/history';
        $answer = $this->get($path, [
            'from' => $this->given('from', $from, null),
            'to' => $this->given('to', $to, null),
        ]);
        $changes = VesfxUnitChange::listOf($answer);
        return array_map(
            static fn (array $one): VesfxPoint => new VesfxPoint(
                $one['date'],
                $one['rate'],
                $one['captured_at'],
                array_values(array_filter($changes, static fn (VesfxUnitChange $change): bool => $change->on > $one['date'])),
            ),
            $answer['points'],
        );
    }

    /** The official rates in force, those before, and the next ones that are published. */
    public function official(): VesfxOfficial
    {
        $answer = $this->get('/v1/fx/official', []);
        return new VesfxOfficial(
            array_map(
                static fn (array $of): VesfxOfficialCurrency => new VesfxOfficialCurrency(
                    VesfxOfficialRate::of($of['in_force'] ?? null),
                    VesfxOfficialRate::of($of['previous'] ?? null),
                    VesfxOfficialRate::of($of['next'] ?? null),
                ),
                $answer['rates'],
            ),
            array_map(
                static fn (array $one): VesfxRateInDoubt => new VesfxRateInDoubt(
                    $one['currency'],
                    $one['value_date'],
                    $one['rate'],
                    $one['reasons'],
                ),
                $answer['in_doubt'] ?? [],
            ),
            $answer['next_publication']['overdue'] ?? false,
        );
    }

    /** The official rate of every day in Caracas, both ends included; without them what your plan shows. */
    public function officialHistory(string $currency = 'USD', ?string $from = null, ?string $to = null): VesfxOfficialHistory
    {
        $answer = $this->get('/v1/fx/official/history', [
            'currency' => $currency,
            'days' => 'all',
            'from' => $this->given('from', $from, null),
            'to' => $this->given('to', $to, null),
        ]);
        return new VesfxOfficialHistory(VesfxOfficialDay::listOf($answer), $answer['missing']);
    }

    /** The official rates of a month (YYYY-MM), with close and average; without one, of that of today. */
    public function officialMonth(?string $month = self::NOW, string $currency = 'USD'): VesfxOfficialMonth
    {
        $answer = $this->get('/v1/fx/official/month', [
            'month' => $this->given('month', $month, self::NOW),
            'currency' => $currency,
        ]);
        return new VesfxOfficialMonth(
            $answer['month'],
            $answer['close'],
            $answer['close_value_date'],
            $answer['average'],
            VesfxOfficialDay::listOf($answer),
            $answer['missing'],
        );
    }

    /** The banking days, both ends included; without them those around today. */
    public function calendar(?string $from = null, ?string $to = null): VesfxCalendar
    {
        $answer = $this->get('/v1/fx/calendar', [
            'from' => $this->given('from', $from, null),
            'to' => $this->given('to', $to, null),
        ]);
        return new VesfxCalendar(
            array_map(
                static fn (array $one): VesfxBankDay => new VesfxBankDay(
                    $one['date'],
                    $one['business_day'],
                    $one['next_value_date'],
                    $one['holiday'] ?? null,
                ),
                $answer['days'],
            ),
            $answer['announced_until'],
        );
    }

    /**
     * The message of a request to your webhook, when the service signed it within the last five minutes. What is not
     * verified throws a VesfxError with the code `webhook_not_verified`, whose $field is the header at fault.
     *
     * @param array<string, string|list<string>> $headers such as getallheaders()
     * @param string $body as it came, such as file_get_contents('php://input'): written again it may differ
     * @param string|list<string> $secret `whsec_…`, or several while you change it
     * @param ?int $now as time()
     * @param ?string $language of what errors say: 'es' or 'en'; null for that of the process
     */
    public static function verifyWebhook(
        array $headers,
        string $body,
        #[SensitiveParameter] string|array $secret,
        ?int $now = null,
        ?string $language = null,
    ): VesfxWebhookMessage {
        $language = VesfxWords::language($language);
        $refused = static fn (?string $field, string ...$text): VesfxError
            => new VesfxError('webhook_not_verified', VesfxWords::text($language, ...$text), field: $field);
        $keys = array_map(self::webhookKey(...), array_values((array) $secret));
        if ($keys === [] || in_array('', $keys, true)) {
            throw new InvalidArgumentException(VesfxWords::text($language, 'secret'));
        }
        $given = array_change_key_case($headers);
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $values[] = $value = implode(',', (array) ($given[$name] ?? ''));
            if ($value === '') {
                throw $refused($name, 'header', $name);
            }
        }
        [$id, $timestamp, $signatures] = $values;
        $isTime = preg_match('/^\d{1,12}$/D', $timestamp) === 1;
        if (!$isTime || abs(($now ?? time()) - (int) $timestamp) > self::WEBHOOK_TOLERANCE_SEC) {
            throw $refused('webhook-timestamp', 'time');
        }
        $isOurs = false;
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $signatures) as $signature) {
                $isOurs = hash_equals($expected, $signature) || $isOurs;
            }
        }
        if (!$isOurs) {
            throw $refused('webhook-signature', 'signature');
        }
        $told = json_decode($body, true);
        if (!is_array($told)) {
            throw $refused(null, 'body');
        }
        return new VesfxWebhookMessage($id, $told['type'] ?? '', $told['timestamp'] ?? '', $told['data'] ?? []);
    }

    /** Empty for what is no secret. */
    private static function webhookKey(#[SensitiveParameter] string $secret): string
    {
        return (string) base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    }

    /** The text to ask for; null when it is left out. An empty one is refused before the service is asked. */
    private function given(string $field, ?string $value, ?string $whenAbsent): ?string
    {
        if ($value === $whenAbsent) {
            return null;
        }
        if ($value === null || trim($value) === '') {
            throw new VesfxError('invalid_format', VesfxWords::text($this->language, 'empty', $field), field: $field);
        }
        return $value;
    }

    /**
     * @param array<string, ?string> $query
     * @return array<string, mixed>
     */
    private function get(string $path, array $query): array
    {
        $given = array_filter($query, static fn (?string $value): bool => $value !== null && $value !== '');
        $address = rtrim($this->url, '/') . $path . '?' . http_build_query($given);
        for ($tried = 1; ; $tried++) {
            [$status, $retryAfter, $body] = $this->ask($address);
            $answer = json_decode($body, true);
            if ($status === 200 && is_array($answer)) {
                return $answer;
            }
            $retryAfterSec = preg_match('/^\d+$/', $retryAfter) ? (int) $retryAfter : null;
            $waitSec = $retryAfterSec ?? $tried;
            $again = in_array($status, [429, 503], true) && $tried < self::TRIES;
            if (!$again || $waitSec > $this->longestWaitSec) {
                throw new VesfxError(
                    $answer['code'] ?? 'unexpected_answer',
                    $answer['message'] ?? VesfxWords::text($this->language, 'status', (string) $status),
                    $status,
                    $answer['field'] ?? null,
                    $answer['details'] ?? [],
                    $retryAfterSec,
                );
            }
            sleep($waitSec);
        }
    }

    /** @return array{int, string, string} status, Retry-After, body */
    private function ask(string $address): array
    {
        $context = stream_context_create(['http' => [
            'header' => "X-API-Key: {$this->key}\r\nAccept-Language: {$this->language}",
            'timeout' => self::TIMEOUT_SEC,
            // The body of an error is wanted, and the key must not go where a redirect points.
            'ignore_errors' => true,
            'follow_location' => 0,
        ]]);
        $stream = @fopen($address, 'r', false, $context);
        if ($stream === false) {
            throw new VesfxError('network_error', VesfxWords::text($this->language, 'silent'));
        }
        [$status, $retryAfter] = [0, ''];
        foreach (stream_get_meta_data($stream)['wrapper_data'] as $line) {
            if (preg_match('{^HTTP/\S+ (\d{3})}', $line, $found)) {
                $status = (int) $found[1];
            } elseif (preg_match('/^retry-after:\s*(.*)$/i', $line, $found)) {
                $retryAfter = trim($found[1]);
            }
        }
        return [$status, $retryAfter, stream_get_contents($stream)];
    }
}

function vesfxAgeOf(int $seconds, string $language): string
{
    return match (true) {
        $seconds < 3600 => intdiv($seconds, 60) . ' min',
        $seconds < 172800 => intdiv($seconds, 3600) . ' h',
        default => VesfxWords::text($language, 'days', (string) intdiv($seconds, 86400)),
    };
}

// What follows runs only when this file is the program, not when another one requires it.
if (PHP_SAPI === 'cli' && realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    // Numbers are shown with all the digits that they have.
    ini_set('precision', '-1');
    $language = VesfxWords::language();
    try {
        $vesfx = new Vesfx(getenv('VESFX_URL') ?: 'http://127.0.0.1:8080', getenv('VESFX_KEY') ?: '');
        $quote = $vesfx->convert('USD', 'VES', $argv[1] ?? '100', $argv[2] ?? null);
        echo "$quote->fromAmount USD = $quote->toAmount VES\n";
        echo "1 USD = $quote->rate VES, $quote->market\n";
        if ($quote->effectiveDate !== null) {
            echo VesfxWords::text($language, 'value date', $quote->effectiveDate), "\n";
        }
        echo VesfxWords::text($language, 'age', vesfxAgeOf($quote->stalenessSec ?? 0, $language));
        echo $quote->stale ? VesfxWords::text($language, 'stale') : '', "\n";
    } catch (VesfxError $error) {
        fwrite(STDERR, "{$error->getMessage()} ({$error->errorCode})\n");
        exit(1);
    }
}
