<?php
// Receives the messages of a webhook, and writes what each tells to the log of the web server.
//
//   curl -fO https://rates.example/client/vesfx.php
//   VESFX_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8000 receiver.php
//
// PHP 8.1 or later, in any web server that has TLS. While you rotate the secret, give both, separated
// by a space.
declare(strict_types=1);

require __DIR__ . '/vesfx.php';

/** The service sends 20 kB at most. */
const MAX_BODY_BYTES = 65_536;

$secrets = explode(' ', (string) getenv('VESFX_WEBHOOK_SECRET'));
$body = (string) file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
} elseif (strlen($body) > MAX_BODY_BYTES) {
    http_response_code(413);
} else {
    try {
        $message = Vesfx::verifyWebhook(getallheaders(), $body, $secrets);
        error_log("$message->id $message->type " . json_encode($message->data));
        http_response_code(204);
    } catch (VesfxError $error) {
        // With any other status than 2xx the service sends the message again.
        error_log($error->getMessage());
        http_response_code(400);
    }
}
