import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;

/**
 * A client of all areas in Java, written from the public guides alone, with nothing but the JDK. It goes once through payouts,
 * orders, saved cards and the wallet.
 *
 * <p>It is told who it is by the variables of `paydesk sandbox world --env sandbox`, and by PAYER, a shell command that plays the
 * payer when `paid --order <id>` is put behind it. It prints one line of JSON for each step, in the words that the clients in
 * other languages use, and ends with 1 where it cannot go on.
 *
 * <p>usage: eval "$(paydesk sandbox world --env sandbox)"; PAYER='paydesk sandbox trigger' java -Dfile.encoding=UTF-8 Client.java
 */
public final class Client {
  static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  static final SecureRandom RANDOM = new SecureRandom();

  static final String SHOP = "5a9db0c0-0301-4a11-8c11-000000000301";
  static final String WALLET_USER = "receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321";
  static final String QR_WITH_AMOUNT =
      "https://pay.example/pay?qrType=REQUEST&" + WALLET_USER + "&amount=25.00&currency=GEL";
  static final String QR_WITHOUT_AMOUNT = "https://pay.example/pay?qrType=DEFAULT&" + WALLET_USER;
  static final long PATIENCE = 30_000;

  static final String OAEP = "RSA/ECB/OAEPWithSHA-256AndMGF1Padding";
  static final String PKCS1 = "RSA/ECB/PKCS1Padding";

  /** Java's own name of the padding means a mask by SHA-1; the guide says SHA-256. */
  static final AlgorithmParameterSpec MASK_SHA256 =
      new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

  static String fact(String name) {
    String value = System.getenv("SANDBOX_" + name);
    if (value == null || value.isEmpty()) throw new IllegalStateException("SANDBOX_" + name + " is not set");
    return value;
  }

  static String newId() {
    return UUID.randomUUID().toString();
  }

  /** Fields in the order in which they are named. */
  static Map<String, Object> fields(Object... namesAndValues) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) all.put((String) namesAndValues[at], namesAndValues[at + 1]);
    return all;
  }

  static Map<String, Object> with(Map<String, Object> some, Map<String, Object> more) {
    Map<String, Object> all = new LinkedHashMap<>(some);
    all.putAll(more);
    return all;
  }

  /** JSON for those who have the JDK only: whole numbers are long, others double. */
  static final class Json {
    private static final Pattern WORD = Pattern.compile("[\\w+.-]+");
    private final String text;
    private int at = 0;

    private Json(String text) {
      this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> read(String text) {
      return (Map<String, Object>) new Json(text).value();
    }

    private char next() {
      while (Character.isWhitespace(text.charAt(at))) at++;
      return text.charAt(at);
    }

    private boolean takes(char wanted) {
      boolean found = next() == wanted;
      if (found) at++;
      return found;
    }

    private Object value() {
      if (takes('{')) return object();
      if (takes('[')) return array();
      if (takes('"')) return string();
      Matcher found = WORD.matcher(text);
      if (!found.find(at)) throw new IllegalStateException("no value at " + at + " in " + text);
      at = found.end();
      String word = found.group();
      if (word.equals("null")) return null;
      if (word.equals("true") || word.equals("false")) return Boolean.valueOf(word);
      return word.matches("-?\\d+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    }

    private Map<String, Object> object() {
      Map<String, Object> all = new LinkedHashMap<>();
      while (!takes('}')) {
        takes(',');
        if (!takes('"')) throw new IllegalStateException("no name at " + at + " in " + text);
        String name = string();
        if (!takes(':')) throw new IllegalStateException("no colon at " + at + " in " + text);
        all.put(name, value());
      }
      return all;
    }

    private List<Object> array() {
      List<Object> all = new ArrayList<>();
      while (!takes(']')) {
        takes(',');
        all.add(value());
      }
      return all;
    }

    private String string() {
      StringBuilder all = new StringBuilder();
      for (char each = text.charAt(at++); each != '"'; each = text.charAt(at++)) {
        if (each == '\\') each = escaped(text.charAt(at++));
        all.append(each);
      }
      return all.toString();
    }

    private char escaped(char sign) {
      switch (sign) {
        case 'n': return '\n';
        case 't': return '\t';
        case 'r': return '\r';
        case 'b': return '\b';
        case 'f': return '\f';
        case 'u':
          at += 4;
          return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        default: return sign;
      }
    }

    static String write(Object value) {
      if (value instanceof Map)
        return ((Map<?, ?>) value).entrySet().stream()
            .map(each -> write(each.getKey()) + ":" + write(each.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
      if (value instanceof List)
        return ((List<?>) value).stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
      if (value instanceof String)
        return '"' + ((String) value).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
      return String.valueOf(value);
    }
  }

  static String toBase64(byte[] data) {
    return Base64.getEncoder().encodeToString(data);
  }

  static byte[] fromBase64(Object text) {
    return Base64.getDecoder().decode((String) text);
  }

  static byte[] randomBytes(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  static byte[] aes(int mode, byte[] key, byte[] iv, byte[] data) throws Exception {
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(iv));
    return cipher.doFinal(data);
  }

  /** An answer, and what it says: opened, or without the `value` around it. */
  static final class Answer {
    final int http;
    final Map<String, Object> body;
    final Map<String, Object> inside;

    Answer(int http, Map<String, Object> body, Map<String, Object> inside) {
      this.http = http;
      this.body = body;
      this.inside = inside;
    }

    /** Tells of a step. Gives back what was answered. */
    Map<String, Object> tell(String step) {
      OUT.println(Json.write(fields("step", step, "http", http, "code", body.get("statusCode"), "answer", inside)));
      return inside;
    }
  }

  interface Look {
    Answer look() throws Exception;
  }

  /** Asks until the status is the one that is wanted. */
  static void becomes(String step, String wanted, Look look) throws Exception {
    long end = System.currentTimeMillis() + PATIENCE;
    for (; ; Thread.sleep(250)) {
      Answer answer = look.look();
      if (wanted.equals(answer.inside.get("status"))) {
        answer.tell(step);
        return;
      }
      if (System.currentTimeMillis() > end)
        throw new IllegalStateException(step + ": not " + wanted + " but " + answer.inside);
    }
  }

  /** The content of `value`, where area A wraps its answer. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> valueOf(Map<String, Object> body) {
    return (Map<String, Object>) body.getOrDefault("value", body);
  }

  static Answer send(String method, String path, Map<String, Object> body, String token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(fact("BASE_URL") + path));
    request.timeout(Duration.ofSeconds(30)).header("Accept", "application/json");
    if (body != null) request.header("Content-Type", "application/json");
    if (token != null) request.header("Authorization", "Bearer " + token);
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
    HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
    Map<String, Object> fields = Json.read(answer.body());
    return new Answer(answer.statusCode(), fields, valueOf(fields));
  }

  /** An integrator with its keys. */
  abstract static class Party {
    final String identifier;
    final PublicKey toService;
    final PrivateKey own;

    Party(String identifier, String keys) throws Exception {
      KeyFactory factory = KeyFactory.getInstance("RSA");
      this.identifier = fact(identifier);
      toService = factory.generatePublic(new X509EncodedKeySpec(fromBase64(fact(keys + "SERVICE_PUBLIC_KEY"))));
      own = factory.generatePrivate(new PKCS8EncodedKeySpec(fromBase64(fact(keys + "PRIVATE_KEY"))));
    }

    abstract Map<String, Object> seal(byte[] text) throws Exception;

    abstract byte[] open(Map<String, Object> sealed) throws Exception;

    Answer ask(String method, String path, Map<String, Object> payload) throws Exception {
      Map<String, Object> sealed = seal(Json.write(payload).getBytes(StandardCharsets.UTF_8));
      Map<String, Object> all = with(fields("identifier", identifier), sealed);
      boolean inQuery = method.equals("GET") || method.equals("DELETE");
      Answer answer = inQuery ? send(method, path + "?" + query(all), null, null) : send(method, path, all, null);
      if (!answer.body.containsKey("encryptedData")) return answer;
      String text = new String(open(answer.body), StandardCharsets.UTF_8);
      return new Answer(answer.http, answer.body, Json.read(text));
    }

    Map<String, Object> call(String step, String method, String path, Map<String, Object> payload) throws Exception {
      return ask(method, path, payload).tell(step);
    }

    static String query(Map<String, Object> all) {
      return all.entrySet().stream()
          .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue().toString(), StandardCharsets.UTF_8))
          .collect(Collectors.joining("&"));
    }
  }

  /** Orders and saved cards: a fresh AES key for each message. */
  static final class Orders extends Party {
    /** True while requests are sealed as Java does by itself. */
    private boolean isByItself = false;

    Orders() throws Exception {
      super("INTEGRATOR_ID", "");
    }

    @Override
    Map<String, Object> seal(byte[] text) throws Exception {
      byte[] key = randomBytes(32);
      byte[] iv = randomBytes(16);
      Cipher rsa = Cipher.getInstance(OAEP);
      if (isByItself) rsa.init(Cipher.ENCRYPT_MODE, toService);
      else rsa.init(Cipher.ENCRYPT_MODE, toService, MASK_SHA256);
      byte[] keys = rsa.doFinal((toBase64(key) + "." + toBase64(iv)).getBytes(StandardCharsets.US_ASCII));
      byte[] data = aes(Cipher.ENCRYPT_MODE, key, iv, text);
      return fields("encryptedData", toBase64(data), "encryptedKeys", toBase64(keys), "aes", true);
    }

    @Override
    byte[] open(Map<String, Object> sealed) throws Exception {
      Cipher rsa = Cipher.getInstance(OAEP);
      rsa.init(Cipher.DECRYPT_MODE, own, MASK_SHA256);
      byte[] keyText = rsa.doFinal(fromBase64(sealed.get("encryptedKeys")));
      String[] keys = new String(keyText, StandardCharsets.US_ASCII).split("\\.");
      return aes(Cipher.DECRYPT_MODE, fromBase64(keys[0]), fromBase64(keys[1]), fromBase64(sealed.get("encryptedData")));
    }

    private Map<String, Object> order(Object... more) {
      Map<String, Object> needed =
          fields("amount", 10, "receiverId", SHOP, "receiverType", "BRANCH", "integratorId", identifier);
      return with(with(needed, fields("integratorOrderId", newId())), fields(more));
    }

    private static Map<String, Object> about(Map<String, Object> order, Object... more) {
      Object id = order.get("integratorOrderId");
      return with(fields("integratorId", order.get("integratorId"), "integratorOrderId", id), fields(more));
    }

    private void create(String step, Map<String, Object> order) throws Exception {
      call(step, "POST", "/api/integrator/order", order);
    }

    private Answer status(Map<String, Object> order) throws Exception {
      return ask("GET", "/api/integrator/order/status", about(order));
    }

    private void becomes(String step, Map<String, Object> order, String wanted) throws Exception {
      Client.becomes(step, wanted, () -> status(order));
    }

    private static void payerPays(Map<String, Object> order) throws Exception {
      String command = System.getenv("PAYER") + " paid --order " + order.get("integratorOrderId");
      ProcessBuilder payer = new ProcessBuilder("sh", "-c", command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      int code = payer.redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor();
      if (code != 0) throw new IllegalStateException("the payer's command ended with " + code);
    }

    void orderAndCancel() throws Exception {
      Map<String, Object> properties = fields("DESCRIPTION", fields("value", "ორი ბილეთი"));
      Map<String, Object> order = order("currency", "GEL", "orderProperties", properties);
      create("order", order);
      create("the same order again", order);
      create("order of nothing", order("amount", 0));
      status(order).tell("order status");
      isByItself = true;
      status(order).tell("order status, sealed as Java does by itself");
      isByItself = false;
      call("cancel", "DELETE", "/api/integrator/order/cancel", about(order));
      call("cancel again", "DELETE", "/api/integrator/order/cancel", about(order));
      status(order()).tell("status of an unknown order");
    }

    private void refund(String step, Map<String, Object> order, double amount) throws Exception {
      call(step, "POST", "/api/integrator/order/refund/v2", about(order, "amount", amount));
    }

    void cardAndRefund() throws Exception {
      Map<String, Object> order = order("amount", 20.0, "saveCard", true, "directLinkProvider", "TBC");
      Map<String, Object> saved = fields("integratorOrderId", order.get("integratorOrderId"));
      String card = "/api/v1/integrator/card/order-id";
      create("order that saves a card", order);
      call("card before the payment", "GET", card, saved);
      payerPays(order);
      becomes("order that saved a card", order, "SUCCESS");
      Object token = call("card", "GET", card, saved).get("token");
      Map<String, Object> charge = order("amount", 5.55, "cardToken", token);
      create("charge of the card", charge);
      becomes("charge at its end", charge, "SUCCESS");

      refund("refund of too much", order, 20.01);
      refund("refund of a part", order, 7.3);
      becomes("part refunded", order, "PARTIALLY_REFUNDED");
      refund("refund of the rest", order, 20 - 7.3);
      becomes("all refunded", order, "REFUNDED_BY_INTEGRATOR");
    }

    void preAuthorisation() throws Exception {
      Map<String, Object> order = order("amount", 50, "payWithPreAuth", true);
      create("order with pre-authorisation", order);
      payerPays(order);
      becomes("authorised", order, "WAITING_FOR_CONFIRM");
      call("completion", "POST", "/api/integrator/order/complete", about(order, "amount", 40));
      becomes("completed", order, "SUCCESS");
    }
  }

  /** The wallet: the whole text in one RSA block. */
  static final class Wallet extends Party {
    Wallet() throws Exception {
      super("WALLET_IDENTIFIER", "WALLET_");
    }

    @Override
    Map<String, Object> seal(byte[] text) throws Exception {
      Cipher rsa = Cipher.getInstance(PKCS1);
      rsa.init(Cipher.ENCRYPT_MODE, toService);
      return fields("encryptedData", toBase64(rsa.doFinal(text)));
    }

    @Override
    byte[] open(Map<String, Object> sealed) throws Exception {
      Cipher rsa = Cipher.getInstance(PKCS1);
      rsa.init(Cipher.DECRYPT_MODE, own);
      return rsa.doFinal(fromBase64(sealed.get("encryptedData")));
    }

    private Map<String, Object> deed(String step, String method, String deed, String id, Object... more)
        throws Exception {
      Map<String, Object> ids = fields("identifier", identifier, "uniqueId", id);
      return call(step, method, "/api/v1/third-party/order/" + deed, with(ids, fields(more)));
    }

    private void finalizeIt(String step, String id, double amount) throws Exception {
      deed(step, "PUT", "finalize", id, "amount", amount, "finalStatus", "SUCCESS");
    }

    private static double number(Object amount) {
      return ((Number) amount).doubleValue();
    }

    void all() throws Exception {
      String fixed = newId();
      String open = newId();
      double amount = number(deed("wallet order", "POST", "create", fixed, "uri", QR_WITH_AMOUNT).get("amount"));
      deed("wallet details", "GET", "details", fixed);
      finalizeIt("finalize with a wrong amount", fixed, amount + 0.01);
      finalizeIt("finalize", fixed, amount);
      finalizeIt("finalize again", fixed, amount);
      deed("wallet details at the end", "GET", "details", fixed);
      Map<String, Object> range =
          deed("wallet order without an amount", "POST", "create", open, "uri", QR_WITHOUT_AMOUNT);
      deed("wallet cancel", "DELETE", "delete", open);
      finalizeIt("finalize after the cancel", open, number(range.get("minAmountAllowed")));
    }
  }

  static void payouts() throws Exception {
    Map<String, Object> credentials = fields("client_id", fact("CLIENT_ID"), "grant_type", "client_credentials");
    Map<String, Object> wrong = with(credentials, fields("client_secret", "not the secret"));
    Map<String, Object> right = with(credentials, fields("client_secret", fact("CLIENT_SECRET")));
    send("POST", "/api/auth", wrong, null).tell("sign in with a wrong secret");
    Answer signedIn = send("POST", "/api/auth", right, null);
    String token = (String) signedIn.inside.remove("access_token");
    signedIn.tell("sign in");

    String balance = "/api/distributor/balance/check";
    send("GET", balance + "?currency=GEL", null, token).tell("balance");
    send("GET", balance, null, token).tell("balance without a currency");
    Map<String, Object> payout = fields("amount", 12.5, "currency", "GEL", "description", "ხელფასი, ნოემბერი");
    payout.putAll(fields("beneficiaryName", "ნინო ბერიძე", "toIban", "GE29NB0000000101904917", "uniqueId", newId()));
    String create = "/api/distributor";
    Object id = send("POST", create, payout, token).tell("payout").get("transactionId");
    send("POST", create, payout, token).tell("the same payout again");
    Map<String, Object> misspelt = with(payout, fields("uniqueId", newId(), "toIban", "GE30NB0000000101904917"));
    send("POST", create, misspelt, token).tell("payout to an IBAN that is none");

    String details = "/api/distributor/details?transaction_id=" + id;
    send("GET", details, null, token).tell("payout details");
    send("GET", details, null, null).tell("payout details without a token");
    becomes("payout at its end", "SUCCESS", () -> send("GET", details, null, token));
    send("GET", balance + "?currency=GEL", null, token).tell("balance afterwards");
  }

  public static void main(String[] arguments) throws Exception {
    payouts();
    Orders orders = new Orders();
    orders.orderAndCancel();
    orders.cardAndRefund();
    orders.preAuthorisation();
    new Wallet().all();
  }
}
