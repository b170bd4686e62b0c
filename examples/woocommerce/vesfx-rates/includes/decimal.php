<?php
// Amounts as decimal texts: a float would lose the last cent of a large one.

namespace VesfxRates;

defined('ABSPATH') || exit;

/** A number of WooCommerce or of the service as a decimal text, with up to eight decimals. */
function decimal_text($number): string
{
    return rtrim(rtrim(number_format((float) $number, 8, '.', ''), '0'), '.');
}

/** The product of two decimal texts that are not negative, rounded once, half away from zero. */
function multiply(string $one, string $other, int $decimals): string
{
    [$a, $places_a] = digits_of($one);
    [$b, $places_b] = digits_of($other);
    $product = array_fill(0, strlen($a) + strlen($b), 0);
    for ($i = strlen($a) - 1; $i >= 0; $i--) {
        $carry = 0;
        for ($j = strlen($b) - 1; $j >= 0; $j--) {
            $sum = $product[$i + $j + 1] + (int) $a[$i] * (int) $b[$j] + $carry;
            $product[$i + $j + 1] = $sum % 10;
            $carry = intdiv($sum, 10);
        }
        $product[$i] += $carry;
    }
    return rounded(implode('', $product), $places_a + $places_b, $decimals);
}

/** The digits of a decimal text, and how many of them stand after the point. */
function digits_of(string $text): array
{
    if (!preg_match('/^(\d+)(?:\.(\d+))?$/', $text, $found)) {
        throw new \InvalidArgumentException("Not a decimal number: $text");
    }
    return [$found[1] . ($found[2] ?? ''), strlen($found[2] ?? '')];
}

function rounded(string $digits, int $places, int $decimals): string
{
    $digits = str_pad($digits, $places + 1, '0', STR_PAD_LEFT) . str_repeat('0', $decimals);
    $cut = strlen($digits) - $places;
    $kept = substr($digits, 0, $cut);
    if ($places > 0 && $digits[$cut] >= '5') {
        $kept = one_more($kept);
    }
    $kept = str_pad(ltrim($kept, '0'), $decimals + 1, '0', STR_PAD_LEFT);
    return $decimals === 0 ? $kept : substr($kept, 0, -$decimals) . '.' . substr($kept, -$decimals);
}

function one_more(string $digits): string
{
    $at = strlen($digits) - 1;
    while ($at >= 0 && $digits[$at] === '9') {
        $digits[$at--] = '0';
    }
    if ($at < 0) {
        return '1' . $digits;
    }
    $digits[$at] = (string) ((int) $digits[$at] + 1);
    return $digits;
}

/** Cents of a decimal text with two decimals at most. */
function cents(string $text): int
{
    return (int) multiply($text, '100', 0);
}

/** The decimal text of cents, with as many decimals as the text beside which it stands. */
function from_cents(int $cents, int $decimals): string
{
    return rounded((string) $cents, 2, $decimals);
}

/** Bolívares as they are written in Venezuela: Bs. 88.957,54 */
function bolivares(string $amount): string
{
    [$whole, $rest] = array_pad(explode('.', $amount), 2, '');
    $grouped = preg_replace('/\B(?=(\d{3})+$)/', '.', $whole);
    return "Bs. $grouped" . ($rest === '' ? '' : ",$rest");
}

/** A rate with at least four decimals: 889,5754 */
function rate_text(string $rate): string
{
    [$whole, $rest] = array_pad(explode('.', $rate), 2, '');
    return preg_replace('/\B(?=(\d{3})+$)/', '.', $whole) . ',' . str_pad($rest, 4, '0');
}
