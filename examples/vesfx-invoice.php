<?php
// Invoices in dollars that keep what proves their bolívares: rate, value date, rule and evidence.
//
//   require 'vesfx-invoice.php';
//   $invoices = new VesfxInvoices(new PDO('sqlite:invoices.db'), 'https://rates.example', $key);
//   $invoice = $invoices->issue('A-0001', '100.00', '2026-11-20');
//   echo $invoice['ves'], ' ', $invoice['rate'], ' ', $invoice['value_date'];
//
// Without a rate that may be used it throws VesfxRefused, and stores nothing.
//
// PHP 8.1 or later, with the extensions curl and pdo_sqlite. Other databases take the same statements,
// with text columns of a length.
declare(strict_types=1);

/** There is no rate to invoice with. $reason is a code: `rate_not_published`, `stale`, `in_doubt`, … */
final class VesfxRefused extends Exception
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct("$message ($reason)");
    }
}

final class VesfxInvoices
{
    private const COLUMNS = 'number, usd, ves, rate, day, rule, value_date, market, evidence, read_at';
    private const TIMEOUT_SEC = 10;
    private const TRIES = 4;
    private const LONGEST_WAIT_SEC = 30;
    /** Answers after which another try may help. */
    private const PASSING = [0, 429, 502, 503, 504];

    public function __construct(private readonly PDO $db, private readonly string $url, private readonly string $key)
    {
        $db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
        // Money and rates are texts: a column of floats would change their digits.
        $db->exec('create table if not exists invoices (number text primary key, usd text not null,
            ves text not null, rate text not null, day text not null, rule text not null,
            value_date text not null, market text not null, evidence text, read_at text not null)');
    }

    /**
     * Stores the invoice and gives its row. A number that exists keeps its row: an issued document is not
     * calculated again, so a repeated call is safe.
     *
     * @param string $usd an amount with at most two decimals
     * @param string $day the day of the invoice in Caracas, YYYY-MM-DD
     * @return array<string, ?string>
     */
    public function issue(string $number, string $usd, string $day, string $rule = 'value_date'): array
    {
        if (!preg_match('/^\d{1,12}(\.\d{1,2})?$/', $usd) || (float) $usd <= 0) {
            throw new InvalidArgumentException("The amount must be above zero, such as 100.00: $usd");
        }
        $stored = $this->find($number);
        if ($stored === null) {
            $row = [$number, $usd, ...$this->rateOf($usd, $day, $rule)];
            $marks = implode(', ', array_fill(0, count($row), '?'));
            // Of two that issue the same number at once, the first one stays.
            $this->db->prepare('insert into invoices (' . self::COLUMNS . ") values ($marks) on conflict do nothing")
                ->execute($row);
            $stored = $this->find($number);
        }
        if ([$stored['usd'], $stored['day'], $stored['rule']] !== [$usd, $day, $rule]) {
            throw new InvalidArgumentException("$number exists with another amount, day or rule.");
        }
        return $stored;
    }

    /** @return ?array<string, ?string> */
    public function find(string $number): ?array
    {
        $query = $this->db->prepare('select ' . self::COLUMNS . ' from invoices where number = ?');
        $query->execute([$number]);
        return $query->fetch(PDO::FETCH_ASSOC) ?: null;
    }

    /** Whether the service still gives the rate and the bolívares that the invoice has. */
    public function agrees(string $number): bool
    {
        $row = $this->find($number) ?? throw new InvalidArgumentException("There is no invoice $number.");
        $now = $this->converted($row['usd'], $row['day'], $row['rule']);
        return [$now['ves'], $now['rate']] === [$row['ves'], $row['rate']];
    }

    /** @return list<?string> the columns after the amount */
    private function rateOf(string $usd, string $day, string $rule): array
    {
        // Refused by the service when the rate of that day is not published.
        $found = $this->converted($usd, $day, $rule);
        $current = $this->get("/v1/fx/rates/{$found['market']}", ['details' => 'true']);
        $isInForce = $current['effective_date'] === $found['value_date'];
        if ($isInForce && $current['stale']) {
            throw new VesfxRefused('stale', 'The rate is older than it should be.');
        }
        if ($this->isInDoubt($found['value_date'])) {
            throw new VesfxRefused('in_doubt', "The rate of {$found['value_date']} is not confirmed.");
        }
        // A figure that is not in force is found by its value date: vesfx evidence reference --at DAY
        $evidence = $isInForce ? $current['evidence'] : null;
        $readAt = gmdate('Y-m-d\TH:i:s\Z');
        return [$found['ves'], $found['rate'], $day, $rule, $found['value_date'], $found['market'], $evidence, $readAt];
    }

    /** @return array{ves: string, rate: string, market: string, value_date: string} */
    private function converted(string $usd, string $day, string $rule): array
    {
        $asked = ['from' => 'USD', 'to' => 'VES', 'amount' => $usd, 'date' => $day, 'rule' => $rule];
        $answer = $this->get('/v1/fx/convert', $asked);
        return [
            'ves' => number_format($answer['to']['amount'], 2, '.', ''),
            'rate' => rtrim(rtrim(number_format($answer['rate'], 8, '.', ''), '0'), '.'),
            'market' => $answer['market'],
            'value_date' => $answer['as_of']['value_date'],
        ];
    }

    private function isInDoubt(string $valueDate): bool
    {
        foreach ($this->get('/v1/fx/official', [])['in_doubt'] ?? [] as $one) {
            if ($one['currency'] === 'USD' && $one['value_date'] === $valueDate) {
                return true;
            }
        }
        return false;
    }

    /**
     * Asks again after a lost connection and when the service is busy.
     *
     * @param array<string, string> $query
     * @return array<string, mixed>
     */
    private function get(string $path, array $query): array
    {
        for ($tried = 1; ; $tried++) {
            [$status, $retryAfterSec, $body] = $this->ask(rtrim($this->url, '/') . $path . '?' . http_build_query($query));
            $answer = json_decode($body, true);
            if ($status === 200 && is_array($answer)) {
                return $answer;
            }
            $waitSec = $retryAfterSec ?? $tried;
            if (!in_array($status, self::PASSING, true) || $tried === self::TRIES || $waitSec > self::LONGEST_WAIT_SEC) {
                $code = $answer['code'] ?? ($status === 0 ? 'network_error' : 'unexpected_answer');
                // A day after the newest value date: its rate will be published.
                $code = ($answer['details']['rule'] ?? '') === 'future_day' ? 'rate_not_published' : $code;
                throw new VesfxRefused($code, $answer['message'] ?? "The service gave no rate, status $status.");
            }
            sleep($waitSec);
        }
    }

    /** @return array{int, ?int, string} status, seconds of Retry-After, body */
    private function ask(string $address): array
    {
        $retryAfterSec = null;
        $request = curl_init($address);
        curl_setopt_array($request, [
            CURLOPT_HTTPHEADER => ["X-API-Key: {$this->key}"],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => self::TIMEOUT_SEC,
            // The key must not go where a redirect points.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$retryAfterSec): int {
                if (preg_match('/^retry-after:\s*(\d{1,6})\s*$/i', $line, $found)) {
                    $retryAfterSec = (int) $found[1];
                }
                return strlen($line);
            },
        ]);
        $body = curl_exec($request);
        // Of an answer that broke off, the status is no sign of a whole body.
        $status = $body === false ? 0 : curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        return [$status, $retryAfterSec, (string) $body];
    }
}
