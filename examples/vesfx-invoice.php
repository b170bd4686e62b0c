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
// PHP 8.1 or later, with the extension pdo_sqlite and the file vesfx.php beside this one. Other databases take
// the same statements, with text columns of a length.
declare(strict_types=1);

require_once __DIR__ . '/vesfx.php';

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
    private const TRIES = 4;
    private const LONGEST_WAIT_SEC = 30;
    private readonly Vesfx $client;

    private readonly string $language;

    /** @param ?string $language of what errors say: 'es' or 'en'; null for that of the process */
    public function __construct(private readonly PDO $db, string $url, string $key, ?string $language = null)
    {
        $this->language = VesfxWords::language($language);
        $this->client = new Vesfx($url, $key, self::LONGEST_WAIT_SEC, $this->language);
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
        if (preg_match('/^[\pZ\pC]*$/u', $number)) {
            throw new InvalidArgumentException($this->said('The invoice has no number.', 'La factura no tiene número.'));
        }
        if (!preg_match('/^\d{1,12}(\.\d{1,2})?$/', $usd) || (float) $usd <= 0) {
            throw new InvalidArgumentException($this->said(
                "Write the amount above zero, with a point, such as 100.00: $usd",
                "Escriba el monto mayor que cero, con punto, como 100.00: $usd",
            ));
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
            throw new InvalidArgumentException($this->said(
                "$number exists with another amount, day or rule.",
                "$number existe con otro monto, día o regla.",
            ));
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
        $row = $this->find($number)
            ?? throw new InvalidArgumentException($this->said("There is no invoice $number.", "No hay factura $number."));
        $now = $this->converted($row['usd'], $row['day'], $row['rule']);
        return [$now['ves'], $now['rate']] === [$row['ves'], $row['rate']];
    }

    private function said(string $english, string $spanish): string
    {
        return $this->language === 'es' ? $spanish : $english;
    }

    /** @return list<?string> the columns after the amount */
    private function rateOf(string $usd, string $day, string $rule): array
    {
        // Refused by the service when the rate of that day is not published.
        $found = $this->converted($usd, $day, $rule);
        $current = $this->asked(fn (): VesfxCurrentRate => $this->client->rate($found['market']));
        $isInForce = $current->effectiveDate === $found['value_date'];
        if ($isInForce && $current->stale) {
            throw new VesfxRefused('stale', $this->said('The rate is older than it should be.', 'La tasa está desactualizada.'));
        }
        foreach ($this->asked(fn (): VesfxOfficial => $this->client->official())->inDoubt as $one) {
            if ($one->currency === 'USD' && $one->valueDate === $found['value_date']) {
                throw new VesfxRefused('in_doubt', $this->said(
                    "The rate of {$found['value_date']} is not confirmed.",
                    "La tasa del {$found['value_date']} está sin confirmar.",
                ));
            }
        }
        // A figure that is not in force is found by its value date: vesfx evidence reference --at DAY
        $evidence = $isInForce ? $current->evidence : null;
        $readAt = gmdate('Y-m-d\TH:i:s\Z');
        return [$found['ves'], $found['rate'], $day, $rule, $found['value_date'], $found['market'], $evidence, $readAt];
    }

    /** @return array{ves: string, rate: string, market: string, value_date: string} */
    private function converted(string $usd, string $day, string $rule): array
    {
        $answer = $this->asked(
            fn (): VesfxConversion => $this->client->convert('USD', 'VES', $usd, date: $day, rule: $rule),
        );
        return [
            'ves' => number_format($answer->toAmount, 2, '.', ''),
            'rate' => rtrim(rtrim(number_format($answer->rate, 8, '.', ''), '0'), '.'),
            'market' => $answer->market,
            'value_date' => $answer->asOf->valueDate,
        ];
    }

    /**
     * Asks again after a lost connection too: what it asks for changes nothing in the service.
     *
     * @template T
     * @param callable(): T $call
     * @return T
     */
    private function asked(callable $call): mixed
    {
        for ($tried = 1; ; $tried++) {
            try {
                return $call();
            } catch (VesfxError $error) {
                // Of an answer that broke off, the status is 200.
                $mayPass = $error->errorCode === 'network_error' || in_array($error->status, [200, 502, 504], true);
                if (!$mayPass || $tried === self::TRIES) {
                    // A day after the newest value date: its rate will be published.
                    $isToCome = ($error->details['rule'] ?? '') === 'future_day';
                    throw new VesfxRefused($isToCome ? 'rate_not_published' : $error->errorCode, $error->getMessage());
                }
                sleep($tried);
            }
        }
    }
}
