<?php
// The Spanish of Venezuela, for every Spanish locale. A translation file of another plugin or of the
// shop comes first.

namespace VesfxRates;

defined('ABSPATH') || exit;

const SPANISH = [
    'Prices and orders in bolívares at the official rate, which each order keeps with its value date, rule and evidence.' => 'Precios y pedidos en bolívares a la tasa oficial, que cada pedido guarda con su fecha valor, su regla y su evidencia.',
    'Settings' => 'Ajustes',
    'The address must begin with https:// or http://' => 'La dirección debe empezar por https:// o http://',
    'The rate in force on that day (value_date)' => 'La tasa que rige ese día (value_date)',
    'The rate of the next banking day (next_banking_day)' => 'La tasa del próximo día hábil (next_banking_day)',
    'Cents' => 'Céntimos',
    'Whole bolívares' => 'Bolívares enteros',
    'Take no order until there is one' => 'No tomar pedidos hasta que la haya',
    'Use the last rate read, of a day at most, and mark the order' => 'Usar la última tasa leída, de un día como máximo, y marcar el pedido',
    'Take the order without bolívares' => 'Tomar el pedido sin bolívares',
    'Show them' => 'Mostrarlos',
    'Do not show them' => 'No mostrarlos',
    'Days without banks' => 'Días sin bancos',
    'Rounding of bolívares' => 'Redondeo de los bolívares',
    'When no confirmed rate of today can be read' => 'Cuando no se puede leer una tasa confirmada de hoy',
    'Bolívares beside prices' => 'Bolívares al lado de los precios',
    'Address of the service' => 'Dirección del servicio',
    'stored; leave empty to keep it' => 'guardada; déjela vacía para conservarla',
    'Key' => 'Clave',
    'set in wp-config.php' => 'definida en wp-config.php',
    'The shop must sell in USD or EUR.' => 'La tienda debe vender en USD o EUR.',
    'Enter the address of the service and a key.' => 'Escriba la dirección del servicio y una clave.',
    'No confirmed rate of today: %s' => 'Sin tasa confirmada de hoy: %s',
    'BCV rate %1$s, value date %2$s' => 'Tasa BCV %1$s, fecha valor %2$s',
    'the rate is older than it should be' => 'la tasa está desactualizada',
    'the rate is not confirmed' => 'la tasa está sin confirmar',
    'the rate of today is not published' => 'la tasa de hoy no está publicada',
    'the service does not answer' => 'el servicio no responde',
    'the key is not valid' => 'la clave no es válida',
    'the key lacks a permission' => 'a la clave le falta un permiso',
    'the units of the month are used up' => 'se agotaron las unidades del mes',
    'the clock of this server shows another day' => 'el reloj de este servidor muestra otro día',
    'There is no confirmed rate of today at this moment. Please try again in a minute.' => 'En este momento no hay una tasa confirmada de hoy. Intente de nuevo en un minuto.',
    'The rate has changed: %s. Please look at the total and order again.' => 'La tasa cambió: %s. Revise el total y haga el pedido otra vez.',
    'Total in bolívares' => 'Total en bolívares',
    'Refunded in bolívares' => 'Reembolsado en bolívares',
    'Rule' => 'Regla',
    'Evidence' => 'Evidencia',
    'Read at' => 'Leída',
    'NOT CONFIRMED' => 'SIN CONFIRMAR',
    'Bolívares' => 'Bolívares',
    'Rate not available' => 'Tasa no disponible',
    'value date %s' => 'fecha valor %s',
    'of %s ago' => 'de hace %s',
    'read %s ago' => 'leída hace %s',
    'from %s' => 'desde %s',
    'rate read %s ago' => 'tasa leída hace %s',
];

add_filter('gettext_vesfx-rates', function ($translation, $text) {
    $is_spanish = strpos((string) determine_locale(), 'es') === 0;
    return $translation === $text && $is_spanish ? (SPANISH[$text] ?? $text) : $translation;
}, 10, 2);
