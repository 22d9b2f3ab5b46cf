<?php
/**
 * A client of all areas in PHP, written from the public guides alone: its standard library and openssl, HTTP by streams.
 * It goes once through payouts, orders, saved cards and the wallet.
 *
 * It is told who it is by the variables of `paydesk sandbox world --env sandbox`, and by PAYER, a shell command that plays the
 * payer when `paid --order <id>` is put behind it. It prints one line of JSON for each step, in the words that the clients in
 * other languages use, and ends with 1 where it cannot go on.
 *
 * usage: eval "$(paydesk sandbox world --env sandbox)"; PAYER='paydesk sandbox trigger' php client.php
 */
declare(strict_types=1);

const SHOP = ['receiverId' => '5a9db0c0-0301-4a11-8c11-000000000301', 'receiverType' => 'BRANCH'];
const WALLET_USER = 'receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321';
const QR_WITH_AMOUNT = 'https://pay.example/pay?qrType=REQUEST&' . WALLET_USER . '&amount=25.00&currency=GEL';
const QR_WITHOUT_AMOUNT = 'https://pay.example/pay?qrType=DEFAULT&' . WALLET_USER;
const PATIENCE = 30.0;

function fact(string $name): string
{
    $value = getenv("SANDBOX_$name");
    if ($value === false || $value === '') {
        throw new RuntimeException("SANDBOX_$name is not set");
    }
    return $value;
}

function pem(string $name, string $half): string
{
    return "-----BEGIN $half KEY-----\n" . chunk_split(fact($name), 64, "\n") . "-----END $half KEY-----\n";
}

/** json_encode as it comes: letters beyond ASCII and slashes are written as escapes. */
function json(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR);
}

function from_json(string $text): array
{
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
}

function checked(mixed $result): mixed
{
    return $result === false ? throw new RuntimeException('openssl: ' . openssl_error_string()) : $result;
}

function from_base64(string $text): string
{
    return checked(base64_decode($text, true));
}

function new_id(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** OAEP with SHA-256 in both places. The openssl of PHP before 8.5 knows SHA-1 only, so the block is made by hand. */
final class Oaep
{
    private const HASH = 32;

    private static function mask(string $seed, int $length): string
    {
        $mask = '';
        for ($counter = 0; strlen($mask) < $length; $counter++) {
            $mask .= hash('sha256', $seed . pack('N', $counter), true);
        }
        return substr($mask, 0, $length);
    }

    public static function encrypt(OpenSSLAsymmetricKey $key, string $text): string
    {
        $rest = intdiv(openssl_pkey_get_details($key)['bits'], 8) - self::HASH - 1;
        $head = hash('sha256', '', true);
        $data = $head . str_repeat("\0", $rest - self::HASH - strlen($text) - 1) . "\1" . $text;
        $seed = random_bytes(self::HASH);
        $data ^= self::mask($seed, $rest);
        $seed ^= self::mask($data, self::HASH);
        checked(openssl_public_encrypt("\0" . $seed . $data, $sealed, $key, OPENSSL_NO_PADDING));
        return $sealed;
    }

    public static function decrypt(OpenSSLAsymmetricKey $key, string $sealed): string
    {
        checked(openssl_private_decrypt($sealed, $block, $key, OPENSSL_NO_PADDING));
        $data = substr($block, 1 + self::HASH);
        $seed = substr($block, 1, self::HASH) ^ self::mask($data, self::HASH);
        $data ^= self::mask($seed, strlen($data));
        $text = ltrim(substr($data, self::HASH), "\0");
        if ($block[0] !== "\0" || !str_starts_with($data, hash('sha256', '', true)) || !str_starts_with($text, "\1")) {
            throw new RuntimeException('the keys are not padded as OAEP says');
        }
        return substr($text, 1);
    }
}

/** An integrator with its keys. A wallet seals into one RSA block, the others with a fresh AES key for each message. */
final class Party
{
    private OpenSSLAsymmetricKey $toService;
    private OpenSSLAsymmetricKey $own;

    public function __construct(public readonly string $identifier, string $keys, private readonly bool $inOneBlock)
    {
        $this->toService = checked(openssl_pkey_get_public(pem($keys . 'SERVICE_PUBLIC_KEY', 'PUBLIC')));
        $this->own = checked(openssl_pkey_get_private(pem($keys . 'PRIVATE_KEY', 'PRIVATE')));
    }

    private function seal(string $text): array
    {
        if ($this->inOneBlock) {
            checked(openssl_public_encrypt($text, $sealed, $this->toService, OPENSSL_PKCS1_PADDING));
            return ['encryptedData' => base64_encode($sealed)];
        }
        [$key, $iv] = [random_bytes(32), random_bytes(16)];
        $keyText = base64_encode($key) . '.' . base64_encode($iv);
        return [
            'encryptedData' => base64_encode(checked(openssl_encrypt($text, 'aes-256-cbc', $key, OPENSSL_RAW_DATA, $iv))),
            'encryptedKeys' => base64_encode(Oaep::encrypt($this->toService, $keyText)),
            'aes' => true,
        ];
    }

    private function open(array $sealed): string
    {
        $data = from_base64($sealed['encryptedData']);
        if ($this->inOneBlock) {
            checked(openssl_private_decrypt($data, $text, $this->own, OPENSSL_PKCS1_PADDING));
            return $text;
        }
        $keyText = Oaep::decrypt($this->own, from_base64($sealed['encryptedKeys']));
        [$key, $iv] = array_map('from_base64', explode('.', $keyText));
        return checked(openssl_decrypt($data, 'aes-256-cbc', $key, OPENSSL_RAW_DATA, $iv));
    }

    /** HTTP status, body, and what was answered. */
    public function ask(string $method, string $path, array $payload): array
    {
        $fields = ['identifier' => $this->identifier] + $this->seal(json($payload));
        // PHP writes a true into a query as 1.
        [$http, $body] = $method === 'GET' || $method === 'DELETE'
            ? send($method, $path . '?' . http_build_query($fields))
            : send($method, $path, $fields);
        return [$http, $body, isset($body['encryptedData']) ? from_json($this->open($body)) : $body];
    }

    public function call(string $step, string $method, string $path, array $payload): array
    {
        return tell($step, ...$this->ask($method, $path, $payload));
    }
}

/** Tells of a step. Gives back what was answered. */
function tell(string $step, int $http, array $body, array $answer): array
{
    echo json(['step' => $step, 'http' => $http, 'code' => $body['statusCode'] ?? null, 'answer' => $answer]), "\n";
    return $answer;
}

/** HTTP status and body. */
function send(string $method, string $path, ?array $body = null, ?string $token = null): array
{
    $headers = ['Accept: application/json'];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
    }
    if ($token !== null) {
        $headers[] = "Authorization: Bearer $token";
    }
    $request = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 30];
    if ($body !== null) {
        $request['content'] = json($body);
    }
    $stream = fopen(fact('BASE_URL') . $path, 'r', context: stream_context_create(['http' => $request]));
    if ($stream === false || !preg_match('~^HTTP/\S+ (\d+)~', stream_get_meta_data($stream)['wrapper_data'][0], $found)) {
        throw new RuntimeException("$method $path was not answered");
    }
    return [(int) $found[1], from_json(stream_get_contents($stream))];
}

/** The answer of area A, without the `value` around it. */
function inside(array $body): array
{
    return $body['value'] ?? $body;
}

function plain(string $step, string $method, string $path, ?array $body = null, ?string $token = null): array
{
    [$http, $answer] = send($method, $path, $body, $token);
    return tell($step, $http, $answer, inside($answer));
}

/** Asks until the status is the one that is wanted. */
function becomes(string $step, string $wanted, callable $look): void
{
    $end = microtime(true) + PATIENCE;
    while (true) {
        [$http, $body, $answer] = $look();
        if (($answer['status'] ?? null) === $wanted) {
            tell($step, $http, $body, $answer);
            return;
        }
        if (microtime(true) > $end) {
            throw new RuntimeException("$step: the status is " . json($answer) . ", not $wanted");
        }
        usleep(250_000);
    }
}

function payouts(): void
{
    $credentials = ['client_id' => fact('CLIENT_ID'), 'grant_type' => 'client_credentials'];
    plain('sign in with a wrong secret', 'POST', '/api/auth', $credentials + ['client_secret' => 'not the secret']);
    [$http, $body] = send('POST', '/api/auth', $credentials + ['client_secret' => fact('CLIENT_SECRET')]);
    $token = $body['value']['access_token'];
    tell('sign in', $http, $body, array_diff_key($body['value'], ['access_token' => true]));

    $balance = '/api/distributor/balance/check';
    plain('balance', 'GET', "$balance?currency=GEL", token: $token);
    plain('balance without a currency', 'GET', $balance, token: $token);
    $payout = [
        'amount' => 12.5, 'currency' => 'GEL', 'description' => 'ხელფასი, ნოემბერი', 'beneficiaryName' => 'ნინო ბერიძე',
        'toIban' => 'GE29NB0000000101904917', 'uniqueId' => new_id(),
    ];
    $id = plain('payout', 'POST', '/api/distributor', $payout, $token)['transactionId'];
    plain('the same payout again', 'POST', '/api/distributor', $payout, $token);
    $misspelt = array_replace($payout, ['uniqueId' => new_id(), 'toIban' => 'GE30NB0000000101904917']);
    plain('payout to an IBAN that is none', 'POST', '/api/distributor', $misspelt, $token);

    $details = "/api/distributor/details?transaction_id=$id";
    plain('payout details', 'GET', $details, token: $token);
    plain('payout details without a token', 'GET', $details);
    becomes('payout at its end', 'SUCCESS', function () use ($details, $token) {
        [$http, $body] = send('GET', $details, token: $token);
        return [$http, $body, inside($body)];
    });
    plain('balance afterwards', 'GET', "$balance?currency=GEL", token: $token);
}

/** Orders and saved cards. */
final class Orders
{
    private Party $party;

    public function __construct()
    {
        $this->party = new Party(fact('INTEGRATOR_ID'), '', false);
    }

    private function order(array $fields = []): array
    {
        $ids = ['integratorId' => $this->party->identifier, 'integratorOrderId' => new_id()];
        return $fields + ['amount' => 10] + SHOP + $ids;
    }

    private function about(array $order, array $more = []): array
    {
        return array_intersect_key($order, ['integratorId' => true, 'integratorOrderId' => true]) + $more;
    }

    private function create(string $step, array $order): void
    {
        $this->party->call($step, 'POST', '/api/integrator/order', $order);
    }

    private function status(string $step, array $order): void
    {
        $this->party->call($step, 'GET', '/api/integrator/order/status', $this->about($order));
    }

    private function becomes(string $step, array $order, string $wanted): void
    {
        $ask = fn () => $this->party->ask('GET', '/api/integrator/order/status', $this->about($order));
        becomes($step, $wanted, $ask);
    }

    private function payerPays(array $order): void
    {
        exec(getenv('PAYER') . " paid --order {$order['integratorOrderId']}", $output, $code);
        if ($code !== 0) {
            throw new RuntimeException("the payer's command ended with $code: " . implode("\n", $output));
        }
    }

    public function orderAndCancel(): void
    {
        $properties = ['DESCRIPTION' => ['value' => 'ორი ბილეთი']];
        $order = $this->order(['currency' => 'GEL', 'orderProperties' => $properties]);
        $this->create('order', $order);
        $this->create('the same order again', $order);
        $this->create('order of nothing', $this->order(['amount' => 0]));
        $this->status('order status', $order);
        $this->party->call('cancel', 'DELETE', '/api/integrator/order/cancel', $this->about($order));
        $this->party->call('cancel again', 'DELETE', '/api/integrator/order/cancel', $this->about($order));
        $this->status('status of an unknown order', $this->order());
    }

    private function refund(string $step, array $order, float $amount): void
    {
        $this->party->call($step, 'POST', '/api/integrator/order/refund/v2', $this->about($order, ['amount' => $amount]));
    }

    public function cardAndRefund(): void
    {
        $order = $this->order(['amount' => 20.0, 'saveCard' => true, 'directLinkProvider' => 'TBC']);
        $card = ['GET', '/api/v1/integrator/card/order-id', ['integratorOrderId' => $order['integratorOrderId']]];
        $this->create('order that saves a card', $order);
        $this->party->call('card before the payment', ...$card);
        $this->payerPays($order);
        $this->becomes('order that saved a card', $order, 'SUCCESS');
        $token = $this->party->call('card', ...$card)['token'];
        $charge = $this->order(['amount' => 5.55, 'cardToken' => $token]);
        $this->create('charge of the card', $charge);
        $this->becomes('charge at its end', $charge, 'SUCCESS');

        $this->refund('refund of too much', $order, 20.01);
        $this->refund('refund of a part', $order, 7.3);
        $this->becomes('part refunded', $order, 'PARTIALLY_REFUNDED');
        $this->refund('refund of the rest', $order, 20 - 7.3);
        $this->becomes('all refunded', $order, 'REFUNDED_BY_INTEGRATOR');
    }

    public function preAuthorisation(): void
    {
        $order = $this->order(['amount' => 50, 'payWithPreAuth' => true]);
        $this->create('order with pre-authorisation', $order);
        $this->payerPays($order);
        $this->becomes('authorised', $order, 'WAITING_FOR_CONFIRM');
        $completion = $this->about($order, ['amount' => 40]);
        $this->party->call('completion', 'POST', '/api/integrator/order/complete', $completion);
        $this->becomes('completed', $order, 'SUCCESS');
    }
}

function wallet_orders(): void
{
    $wallet = new Party(fact('WALLET_IDENTIFIER'), 'WALLET_', true);
    $call = function (string $step, string $method, string $deed, string $id, array $more = []) use ($wallet) {
        $payload = ['identifier' => $wallet->identifier, 'uniqueId' => $id] + $more;
        return $wallet->call($step, $method, "/api/v1/third-party/order/$deed", $payload);
    };
    $finalize = fn (string $step, string $id, int|float $amount) =>
        $call($step, 'PUT', 'finalize', $id, ['amount' => $amount, 'finalStatus' => 'SUCCESS']);
    [$fixed, $open] = [new_id(), new_id()];
    $amount = $call('wallet order', 'POST', 'create', $fixed, ['uri' => QR_WITH_AMOUNT])['amount'];
    $call('wallet details', 'GET', 'details', $fixed);
    $finalize('finalize with a wrong amount', $fixed, $amount + 0.01);
    $finalize('finalize', $fixed, $amount);
    $finalize('finalize again', $fixed, $amount);
    $call('wallet details at the end', 'GET', 'details', $fixed);
    $range = $call('wallet order without an amount', 'POST', 'create', $open, ['uri' => QR_WITHOUT_AMOUNT]);
    $call('wallet cancel', 'DELETE', 'delete', $open);
    $finalize('finalize after the cancel', $open, $range['minAmountAllowed']);
}

try {
    payouts();
    $orders = new Orders();
    $orders->orderAndCancel();
    $orders->cardAndRefund();
    $orders->preAuthorisation();
    wallet_orders();
} catch (Throwable $problem) {
    fwrite(STDERR, "$problem\n");
    exit(1);
}
