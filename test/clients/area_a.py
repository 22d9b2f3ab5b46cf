#!/usr/bin/env python3
"""A second client of area A (payouts), written from the specification alone, in another language than the service it checks.

It shares no code and no reading with the desk or the sandbox, so that a mistake made on both of those sides is seen here.
Amounts are decimals from end to end: a float would hide exactly the errors this program looks for.
A line that starts with "note" tells what the service does where the specification leaves a choice; it is never counted.

usage: area_a.py <base_url> <world.json> [documented|recorded]
The last says in which form the answers come: as the specification has them, or as they were recorded at the live service.
"""

import http.client
import json
import re
import sys
import time
import uuid
from decimal import Decimal
from urllib.parse import urlsplit

STATUSES = {"INITIAL", "PENDING", "SUCCESS", "REJECTED", "FAILED", "DELETED", "INITIAL_INSUFFICIENT_BALANCE"}
FINAL = {"SUCCESS", "REJECTED", "FAILED", "DELETED"}
CREATE_KEYS = {"transactionId", "status", "statusDescription", "uniqueId", "createdAt"}
RECORDED_CREATE_KEYS = CREATE_KEYS | {"distributionFlow"}
RECORDED_401_KEYS = {"application_name", "method_name", "exception_name", "status", "message", "timestamp"}
DETAIL_KEYS = CREATE_KEYS | {"amount", "toIban", "currency", "paymentDescription"}
LOCAL_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?")
GEORGIAN_IBAN = re.compile(r"GE\d{2}[A-Z]{2}\d{16}")
GEORGIAN_TEXT = "ხელფასი:ნოემბერი-2026(1/2)"
PATIENCE = 15.0


class Report:
    def __init__(self, recorded):
        self.recorded = recorded
        self.passed = 0
        self.failed = 0

    def check(self, name, good, seen=None):
        if good:
            self.passed += 1
            print("ok   " + name, flush=True)
        else:
            self.failed += 1
            print("FAIL " + name + ("" if seen is None else "; received: " + str(seen)), flush=True)
        return bool(good)

    def note(self, words):
        print("note " + words, flush=True)


def number_text(value):
    return format(value, "f") if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)


def json_text(fields):
    return "{" + ",".join(json.dumps(key) + ":" + number_text(value) for key, value in fields.items()) + "}"


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def once(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key is written twice: " + ", ".join(keys))
    return dict(pairs)


def georgian_iban(bank, account):
    digits = "".join(str(int(letter, 36)) for letter in bank + account + "GE00")
    return "GE%02d%s%s" % (98 - int(digits) % 97, bank, account)


class Answer:
    def __init__(self, http_status, content_type, text):
        self.http = http_status
        self.content_type = content_type
        self.text = text
        try:
            self.body = json.loads(text, parse_float=Decimal, object_pairs_hook=once)
        except ValueError:
            self.body = None

    def value(self):
        return self.body.get("value") if isinstance(self.body, dict) else None

    def code(self):
        return self.body.get("statusCode") if isinstance(self.body, dict) else None

    def __str__(self):
        return "HTTP %d %s" % (self.http, self.text[:300])


class Service:
    def __init__(self, base_url):
        parts = urlsplit(base_url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connect = lambda: kind(parts.hostname, parts.port, timeout=30)
        self.prefix = parts.path.rstrip("/")

    def call(self, method, path, token=None, fields=None, raw=None):
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = "Bearer " + token
        body = raw if raw is not None else (None if fields is None else json_text(fields))
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body.encode("utf-8")
        connection = self.connect()
        try:
            connection.request(method, self.prefix + path, body=body, headers=headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheader("Content-Type") or "", answer.read().decode("utf-8"))
        finally:
            connection.close()

    def sign_in(self, client_id, client_secret, grant_type="client_credentials"):
        fields = {"client_id": client_id, "client_secret": client_secret, "grant_type": grant_type}
        return self.call("POST", "/api/auth", fields=fields)


class Distributor:
    def __init__(self, service, world):
        self.service = service
        self.world = world
        self.token = None

    def create(self, fields):
        return self.service.call("POST", "/api/distributor", self.token, fields)

    def details(self, transaction_id):
        return self.service.call("GET", "/api/distributor/details?transaction_id=%s" % transaction_id, self.token)

    def balance_answer(self, currency):
        return self.service.call("GET", "/api/distributor/balance/check?currency=" + currency, self.token)

    def balance(self, currency):
        return Decimal(self.balance_answer(currency).value()["amount"])

    def wait(self, transaction_id, wanted=FINAL):
        """Every status seen on the way, the last one being wanted unless patience ran out."""
        seen = []
        end = time.monotonic() + PATIENCE
        while True:
            value = self.details(transaction_id).value() or {}
            status = value.get("status")
            if not seen or seen[-1] != status:
                seen.append(status)
            if status in wanted or time.monotonic() > end:
                return value, seen
            time.sleep(0.05)


def payout(to, **fields):
    body = {"amount": Decimal("12.50"), "currency": "GEL", "description": "Invoice:2026/11"}
    body.update(to)
    body["uniqueId"] = str(uuid.uuid4())
    body.update(fields)
    return {key: value for key, value in body.items() if value is not None}


def check_sign_in(report, distributor):
    world = distributor.world
    answer = distributor.service.sign_in(world["clientId"], world["clientSecret"])
    value = answer.value()
    name = "sign-in %s: " % world["name"]
    report.check(name + "HTTP 200", answer.http == 200, answer.http)
    report.check(name + "Content-Type is application/json", answer.content_type.split(";")[0].strip() == "application/json", answer.content_type)
    if not report.check(name + "only `value`, with access_token, expires_in, token_type", isinstance(value, dict)
                        and set(answer.body) == {"value"} and set(value) == {"access_token", "expires_in", "token_type"}, answer):
        return False
    report.check(name + "token_type is Bearer", value["token_type"] == "Bearer", value["token_type"])
    report.check(name + "expires_in is a whole number above 0", is_whole(value["expires_in"]) and value["expires_in"] > 0, value["expires_in"])
    distributor.token = value["access_token"]
    return report.check(name + "access_token is a text that fits a header",
                        isinstance(distributor.token, str) and re.fullmatch(r"[A-Za-z0-9\-._~+/]+=*", distributor.token))


def check_refusal(report, name, answer, code, http_status=400):
    if report.recorded and http_status == 401:
        check_recorded_401(report, name, answer)
        return
    codes = code if isinstance(code, set) else {code}
    report.check("%s: HTTP %d, code %s" % (name, http_status, " or ".join(map(str, sorted(codes)))),
                 answer.http == http_status and answer.code() in codes, answer)
    keys = {"message", "statusCode", "exceptionGroup"} if report.recorded else {"message", "statusCode"}
    good = isinstance(answer.body, dict) and set(answer.body) == keys
    report.check("%s: exactly %s, the message a text" % (name, ", ".join(sorted(keys))),
                 good and isinstance(answer.body["message"], str) and all(is_whole(answer.body[key]) for key in keys - {"message"}), answer)
    if isinstance(code, set):
        report.note("%s is answered with %s" % (name, answer.code()))


def check_recorded_401(report, name, answer):
    good = isinstance(answer.body, dict) and set(answer.body) == RECORDED_401_KEYS
    report.check("%s: HTTP 401, the six recorded members and no statusCode" % name, answer.http == 401 and good, answer)
    report.check("%s: all null but the message" % name, good and answer.body["message"] == "Authentication failed"
                 and all(answer.body[key] is None for key in RECORDED_401_KEYS - {"message"}), answer)


def check_created(report, name, answer, fields):
    body = answer.body
    report.check(name + ": HTTP 200", answer.http == 200, answer)
    if report.recorded:
        report.check(name + ": wrapped in `value` alone", isinstance(body, dict) and set(body) == {"value"}, answer)
        body = answer.value()
    keys = RECORDED_CREATE_KEYS if report.recorded else CREATE_KEYS
    if not report.check("%s: exactly %s" % (name, ", ".join(sorted(keys))), isinstance(body, dict) and set(body) == keys, answer):
        return None
    if report.recorded:
        report.check(name + ": distributionFlow as recorded", body["distributionFlow"] == "STANDARD", body)
        report.check(name + ": statusDescription of INITIAL as recorded", body["status"] != "INITIAL" or body["statusDescription"] == "Initial", body)
    report.check(name + ": transactionId is a whole number", is_whole(body["transactionId"]), body["transactionId"])
    report.check(name + ": status is a known one", body["status"] in STATUSES, body["status"])
    report.check(name + ": statusDescription is a text", isinstance(body["statusDescription"], str), body["statusDescription"])
    report.check(name + ": uniqueId comes back", body["uniqueId"] == fields["uniqueId"], body["uniqueId"])
    report.check(name + ": createdAt is local, without zone", isinstance(body["createdAt"], str)
                 and LOCAL_DATETIME.fullmatch(body["createdAt"]), body["createdAt"])
    return body["transactionId"]


def description_of(fields, recorded):
    parts = [fields.get(key) for key in ("debtorName", "debtorIban", "debtorIdentityNumber")] if recorded else []
    return ", ".join([part for part in parts if part is not None] + [fields["description"]])


def check_details(report, name, answer, fields, transaction_id):
    value = answer.value()
    report.check(name + ": HTTP 200, only `value`", answer.http == 200 and isinstance(value, dict) and set(answer.body) == {"value"}, answer)
    keys = set(value or {}) - {"commissionAmount"}
    wanted = DETAIL_KEYS if "toIban" in fields or "toIban" in keys else DETAIL_KEYS - {"toIban"}
    if not report.check(name + ": exactly the fields of a distributor transaction", keys == wanted, sorted(value or {})):
        return
    report.check(name + ": transactionId", value["transactionId"] == transaction_id and is_whole(value["transactionId"]), value["transactionId"])
    report.check(name + ": status is a known one", value["status"] in STATUSES, value["status"])
    report.check(name + ": statusDescription is a text", isinstance(value["statusDescription"], str), value["statusDescription"])
    report.check(name + ": amount is a number, as given", is_number(value["amount"]) and value["amount"] == fields["amount"], value["amount"])
    if "toIban" in fields:
        report.check(name + ": toIban as given", value["toIban"] == fields["toIban"], value["toIban"])
    elif "toIban" in value:
        report.check(name + ": toIban of the receiver is a Georgian IBAN", isinstance(value["toIban"], str)
                     and GEORGIAN_IBAN.fullmatch(value["toIban"]), value["toIban"])
    report.note("%s: toIban is %s" % (name, value.get("toIban", "absent")))
    report.check(name + ": currency as given", value["currency"] == fields["currency"], value["currency"])
    report.check(name + ": paymentDescription as given", value["paymentDescription"] == description_of(fields, report.recorded), value["paymentDescription"])
    report.check(name + ": uniqueId as given", value["uniqueId"] == fields["uniqueId"], value["uniqueId"])
    created = value["createdAt"]
    report.check(name + ": createdAt is local, without zone, microseconds at most", isinstance(created, str)
                 and LOCAL_DATETIME.fullmatch(created) and len(created.partition(".")[2]) <= 6, created)
    if "commissionAmount" in value:
        commission = value["commissionAmount"]
        report.check(name + ": commissionAmount is a number, not negative, in hundredths at most", is_number(commission)
                     and commission >= 0 and commission == round(Decimal(commission), 2), commission)


def commission_of(distributor, transaction_id):
    return Decimal((distributor.details(transaction_id).value() or {}).get("commissionAmount", 0))


def check_payout(report, distributor, name, fields):
    """One payout to its end, the balance before and after it."""
    currency = fields["currency"]
    before = distributor.balance(currency)
    transaction_id = check_created(report, "create " + name, distributor.create(fields), fields)
    if transaction_id is None:
        return None
    after = distributor.balance(currency)
    check_details(report, "details " + name, distributor.details(transaction_id), fields, transaction_id)
    cost = fields["amount"] + commission_of(distributor, transaction_id)
    report.check("%s: the balance falls by amount + commission (%s)" % (name, cost), before - after == cost, before - after)
    _, seen = distributor.wait(transaction_id)
    report.check("%s: ends in SUCCESS" % name, seen[-1] == "SUCCESS", seen)
    ways = [["INITIAL", "PENDING", "SUCCESS"][at:] for at in range(3)] + [["INITIAL", "SUCCESS"]]
    report.check("%s: no status but INITIAL, PENDING, SUCCESS, in this order" % name, seen in ways, seen)
    check_details(report, "details at the end " + name, distributor.details(transaction_id), fields, transaction_id)
    report.check("%s: the balance stays down" % name, distributor.balance(currency) == after, distributor.balance(currency))
    return transaction_id


def check_balance(report, distributor):
    for currency in distributor.world["currencies"]:
        answer = distributor.balance_answer(currency)
        value = answer.value()
        name = "balance %s %s: " % (distributor.world["name"], currency)
        report.check(name + "HTTP 200, only `value` with amount and currency", answer.http == 200 and isinstance(value, dict)
                     and set(answer.body) == {"value"} and set(value) == {"amount", "currency"}, answer)
        report.check(name + "amount is a number, currency as asked", is_number((value or {}).get("amount"))
                     and value["currency"] == currency, answer)


def check_magic(report, distributor, to, magic):
    """Descriptions that the world names decide how a payout ends; money comes back on FAILED."""
    for entry in magic:
        description, end = entry["description"], entry["endsIn"]
        if end not in STATUSES:
            report.note("magic description %s ends in %s: not a status of a payout, not tried" % (description, end))
            continue
        fields = payout(to, description=description)
        before = distributor.balance("GEL")
        name = "magic " + description
        transaction_id = check_created(report, name, distributor.create(fields), fields)
        if transaction_id is None:
            continue
        taken = before - distributor.balance("GEL")
        cost = fields["amount"] + commission_of(distributor, transaction_id)
        value, seen = distributor.wait(transaction_id, {end})
        report.check("%s: ends in %s" % (name, end), seen[-1] == end, seen)
        report.check("%s: paymentDescription as given" % name, value.get("paymentDescription") == description, value.get("paymentDescription"))
        after = distributor.balance("GEL")
        if end == "FAILED":
            report.check("%s: amount + commission (%s) leave at creation" % (name, cost), taken == cost, taken)
            report.check("%s: amount + commission come back" % name, after == before, "%s before, %s after" % (before, after))
        else:
            report.note("%s: the balance fell by %s at creation, %s at the end" % (name, taken, before - after))


def check_from_iban(report, distributor, to, failing):
    accounts = [entry for entry in distributor.world["accounts"] if entry["currency"] == "GEL"]
    main = next((entry for entry in accounts if entry["main"]), None)
    second = next((entry for entry in accounts if not entry["main"]), None)
    if not report.check("world: a main and a second GEL account", main and second, accounts):
        return
    before = distributor.balance("GEL")
    fields = payout(to, amount=Decimal("7.35"), fromIban=second["iban"], description="From-the-second")
    transaction_id = check_created(report, "create with fromIban", distributor.create(fields), fields)
    if transaction_id is None:
        return
    cost = fields["amount"] + commission_of(distributor, transaction_id)
    fell = before - distributor.balance("GEL")
    report.check("fromIban: the balance shown keeps the main account, or falls once by %s" % cost, fell in (0, cost), fell)
    report.note("fromIban: the balance shown %s" % ("is the main account alone" if fell == 0 else "counts every account"))
    limits = distributor.world.get("limits")
    smaller, larger = Decimal(second["balance"]), Decimal(main["balance"])
    if limits is not None or smaller == larger:
        report.note("fromIban: limits or equal accounts do not let the debited account be told")
        return
    amount = min(smaller, larger) + (abs(larger - smaller) / 2).quantize(Decimal("0.01"))
    rich, poor = (main, second) if larger > smaller else (second, main)
    pays = payout(to, amount=amount, fromIban=rich["iban"], description=failing)
    refused = payout(to, amount=amount, fromIban=poor["iban"], description=failing)
    check_refusal(report, "fromIban: more than that account holds, less than the other", distributor.create(refused), 5038)
    paid = check_created(report, "fromIban: the same amount from the other account", distributor.create(pays), pays)
    if paid is not None:
        distributor.wait(paid)


def check_unique_id(report, payer, other, to_payer, to_other):
    fields = payout(to_payer)
    check_created(report, "uniqueId first", payer.create(fields), fields)
    check_refusal(report, "uniqueId again, same body", payer.create(fields), 5017)
    check_refusal(report, "uniqueId again, another amount", payer.create(dict(fields, amount=Decimal("13.00"))), 5017)
    elsewhere = payout(to_other, uniqueId=fields["uniqueId"])
    check_created(report, "uniqueId again, by another client", other.create(elsewhere), elsewhere)
    refused = payout({"toIban": spoil(to_payer["toIban"])})
    check_refusal(report, "uniqueId of a payout that will be refused", payer.create(refused), 5023)
    mended = dict(refused, toIban=to_payer["toIban"])
    check_created(report, "uniqueId after a refusal is not used up", payer.create(mended), mended)


def spoil(iban):
    return "GE%02d%s" % ((int(iban[2:4]) + 1) % 97, iban[4:])


def check_tokens(report, service, client):
    world = client.world
    check_refusal(report, "sign-in: unknown client", service.sign_in(str(uuid.uuid4()), world["clientSecret"]), 5003)
    check_refusal(report, "sign-in: wrong secret", service.sign_in(world["clientId"], "not the secret"), 5021)
    check_refusal(report, "sign-in: wrong grant", service.sign_in(world["clientId"], world["clientSecret"], "password"), 5013)
    calls = [("POST", "/api/distributor", payout({"toIban": georgian_iban("NB", "0000000101904917")})),
             ("GET", "/api/distributor/details?transaction_id=1", None), ("GET", "/api/distributor/balance/check?currency=GEL", None)]
    for method, path, fields in calls:
        for words, token in (("no token", None), ("a wrong token", "not-a-token")):
            check_refusal(report, "%s %s with %s" % (method, path.split("?")[0], words), service.call(method, path, token, fields), 5021, 401)


def check_refusals(report, by_iban, by_receiver, to_iban, to_receiver):
    balance = by_receiver.balance("GEL")
    own = next(entry["iban"] for entry in by_receiver.world["accounts"] if entry["currency"] == "GEL" and not entry["main"])
    unknown = {"receiverId": str(uuid.uuid4()), "receiverType": "BRANCH"}
    debtor = {"debtorName": "შპს მაგალითი, No.1", "debtorIban": "GE00AA0000000000000001", "debtorIdentityNumber": "123456789"}
    before = by_iban.balance("GEL")
    tries = [
        ("toIban fails mod 97", by_iban, payout({"toIban": spoil(to_iban["toIban"])}), 5023),
        ("toIban is not Georgian", by_iban, payout({"toIban": "DE89370400440532013000"}), 5023),
        ("a receiver, by the client that pays by IBAN", by_iban, payout(to_receiver), 5033),
        ("an IBAN, by the client that pays by receiver", by_receiver, payout(to_iban), 5033),
        ("more than the balance", by_receiver, payout(to_receiver, amount=balance + 1), 5038),
        ("uniqueId is missing", by_iban, payout(to_iban, uniqueId=None), 5039),
        ("toIban together with receiver, client by IBAN", by_iban, payout(dict(to_iban, **to_receiver)), 5039),
        ("toIban together with receiver, client by receiver", by_receiver, payout(dict(to_iban, **to_receiver)), 5039),
        ("receiver is unknown", by_receiver, payout(unknown), 5041),
        ("amount below the minimum", by_iban, payout(to_iban, amount=Decimal("0.01")), 5045),
        ("amount above the maximum", by_iban, payout(to_iban, amount=Decimal("100000.01")), 5046),
        ("minimum is checked before the IBAN", by_iban, payout({"toIban": spoil(to_iban["toIban"])}, amount=Decimal("0.01")), 5045),
        ("maximum is checked before the IBAN", by_iban, payout({"toIban": spoil(to_iban["toIban"])}, amount=Decimal("100000.01")), 5046),
        ("fromIban not permitted", by_iban, payout(to_iban, fromIban=own), 5048),
        ("amount is missing", by_iban, payout(to_iban, amount=None), 5039),
        ("currency is missing", by_iban, payout(to_iban, currency=None), 5039),
        ("description is missing", by_iban, payout(to_iban, description=None), 5039),
        ("description in Cyrillic", by_iban, payout(to_iban, description="Зарплата"), 5039),
        ("description with a symbol that is not allowed", by_iban, payout(to_iban, description="a_b"), 5039),
        ("debtorIban in lower case", by_receiver, payout(to_receiver, debtorIban="ge29nb0000000101904917"), 5039),
        ("debtorIdentityNumber of 10 digits", by_receiver, payout(to_receiver, debtorIdentityNumber="1234567890"), 5039),
        ("amount with three decimals", by_iban, payout(to_iban, amount=Decimal("1.234")), 5039),
        ("amount of eleven digits", by_receiver, payout(to_receiver, amount=Decimal("123456789.01")), 5039),
        ("amount is zero", by_iban, payout(to_iban, amount=Decimal("0")), {5039, 5045}),
        ("amount is negative", by_iban, payout(to_iban, amount=Decimal("-1")), {5039, 5045}),
        ("amount is a text and no number", by_iban, payout(to_iban, amount="12,50"), {5039, 5042, 5043}),
        ("currency the specification does not have", by_iban, payout(to_iban, currency="GBP"), {5039, 5042, 5043, 5050, 5051}),
        ("uniqueId is not a UUID v4", by_iban, payout(to_iban, uniqueId="5f0c0c5e-0000-1000-8000-000000000000"), {5039, 5042, 5043}),
        ("receiverType is not BRANCH or USER", by_receiver, payout(dict(to_receiver, receiverType="IBAN")), {5039, 5041, 5042, 5043}),
        ("receiverId without receiverType", by_receiver, payout({"receiverId": to_receiver["receiverId"]}), {5033, 5039}),
        ("neither IBAN nor receiver", by_iban, payout({}), {5033, 5039}),
        ("birthDate is not dd.MM.yyyy", by_iban, payout(to_iban, birthDate="1990-01-31"), {5039, 5042, 5043}),
    ]
    tries += [("%s not permitted" % key, by_iban, payout(to_iban, **{key: value}), 5047) for key, value in debtor.items()]
    for currency in sorted({"GEL", "USD", "EUR"} - set(by_iban.world["currencies"])):
        tries.append(("currency %s, which the client does not have" % currency, by_iban, payout(to_iban, currency=currency), {5050, 5051}))
    for currency in by_iban.world["currencies"]:
        held = by_iban.balance(currency)
        if held < Decimal("100000"):
            amount = held + Decimal("0.01")
            tries.append(("more than the balance, within the limits, " + currency, by_iban, payout(to_iban, amount=amount, currency=currency), 5038))
            wrong = {"toIban": spoil(to_iban["toIban"])}
            tries.append(("balance is checked before the IBAN, " + currency, by_iban, payout(wrong, amount=amount, currency=currency), 5038))
    for name, client, fields, code in tries:
        check_refusal(report, "create: " + name, client.create(fields), code)
    service, token = by_iban.service, by_iban.token
    for words, raw, code in (("cut off", '{"amount":12.50,', 5043), ("not JSON", "amount=12.50", 5043), ("empty", "", {5039, 5043})):
        check_refusal(report, "create: body " + words, service.call("POST", "/api/distributor", token, raw=raw), code)
    details = "/api/distributor/details"
    for words, query in (("is absent", ""), ("is a word", "?transaction_id=abc"), ("is half a number", "?transaction_id=12abc"), ("is empty", "?transaction_id=")):
        check_refusal(report, "details: transaction_id " + words, service.call("GET", details + query, token), 5042)
    check_refusal(report, "details: unknown payout", by_iban.details(999999999999), 5040, 404)
    report.check("no refusal moved the balance", by_iban.balance("GEL") == before, "%s before, %s after" % (before, by_iban.balance("GEL")))


def check_open_points(report, by_iban, by_receiver, to_iban, foreign_id):
    """What the specification leaves open is shown, so that a person can compare it with what the desk expects."""
    def seen(words, answer):
        report.note("%s: HTTP %d, code %s" % (words, answer.http, answer.code()))
    seen("a description with a blank", by_iban.create(payout(to_iban, description="Invoice 2026")))
    seen("toIban in lower case", by_iban.create(payout({"toIban": to_iban["toIban"].lower()})))
    seen("toIban with blanks", by_iban.create(payout({"toIban": " ".join(re.findall(".{1,4}", to_iban["toIban"]))})))
    seen("a field the specification does not have", by_iban.create(payout(to_iban, colour="red")))
    seen("details of another client's payout", by_receiver.details(foreign_id))
    seen("balance without currency", by_iban.service.call("GET", "/api/distributor/balance/check", by_iban.token))
    for currency in ("EUR", "GBP"):
        seen("balance in " + currency, by_iban.balance_answer(currency))


def run(report, base_url, world):
    service = Service(base_url)
    clients = [Distributor(service, entry) for entry in world["distributorClients"]]
    by_iban = next(client for client in clients if client.world["paysOutBy"] == "iban" and not client.world["permissions"])
    by_receiver = next(client for client in clients if client.world["paysOutBy"] == "receiver" and "fromIban" in client.world["permissions"])
    if not (check_sign_in(report, by_iban) and check_sign_in(report, by_receiver)):
        return
    to_iban = {"toIban": georgian_iban("NB", "0000000101904917")}
    receivers = [{key: entry[key] for key in ("receiverId", "receiverType")} for entry in world["receivers"]]
    check_balance(report, by_iban)
    check_balance(report, by_receiver)

    paid = check_payout(report, by_iban, "by IBAN, minimal", payout(to_iban))
    whole = payout({"toIban": georgian_iban("TB", "1234567890123456")}, description=GEORGIAN_TEXT, beneficiaryIdentityNumber="01001012345",
                   beneficiaryName="ნინო მაგალითაშვილი", beneficiaryAddress="თბილისი, რუსთაველის გამზ. 1", birthDate="31.01.1990")
    if "USD" in by_iban.world["currencies"]:
        whole.update(currency="USD", amount=Decimal("250"))
    check_payout(report, by_iban, "by IBAN, every unrestricted field, in Georgian", whole)
    for receiver in receivers:
        check_payout(report, by_receiver, "to a " + receiver["receiverType"], payout(receiver, amount=Decimal("0.05"), description="Payout+1"))
    debtor = {"debtorName": "შპს მაგალითი, No.1", "debtorIban": "GE00AA0000000000000001", "debtorIdentityNumber": "12345678901"}
    check_payout(report, by_receiver, "with debtor fields", payout(receivers[0], description=GEORGIAN_TEXT, **debtor))
    magic = world["magicDescriptions"]
    failing = next((entry["description"] for entry in magic if entry["endsIn"] == "FAILED"), None)
    report.check("world: a description that ends in FAILED", failing is not None, magic)
    check_from_iban(report, by_receiver, receivers[0], failing or "Invoice")
    check_unique_id(report, by_iban, by_receiver, to_iban, receivers[0])
    check_tokens(report, service, by_iban)
    check_refusals(report, by_iban, by_receiver, to_iban, receivers[0])
    check_magic(report, by_iban, to_iban, magic)
    check_open_points(report, by_iban, by_receiver, to_iban, paid)


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[2:] not in ([], ["documented"], ["recorded"]):
        print("usage: area_a.py <base_url> <world.json> [documented|recorded]", file=sys.stderr)
        return 2
    with open(arguments[1], encoding="utf-8") as file:
        world = json.load(file, parse_float=Decimal)
    report = Report(arguments[2:] == ["recorded"])
    try:
        run(report, arguments[0], world)
    except (OSError, http.client.HTTPException, ArithmeticError, LookupError, StopIteration, TypeError, ValueError) as error:
        report.check("the run reaches its end", False, repr(error))
    print(json.dumps({"passed": report.passed, "failed": report.failed}), flush=True)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
