#!/usr/bin/env python3
"""A second client of areas B (orders), C (wallet) and D (saved card), written from the specification alone, in another language.

It is an independent reading of the specification: it shares no code with the desk or the sandbox, so that a mistake made
alike on both of those sides (a key text the wrong way round, a padding only they two know) is seen here.
It plays the integrator and speaks to a service that someone has started; the payer at the checkout is a command it is given.
Refusals are told by code and group, never by HTTP status or text. Amounts are decimals from end to end.
A line that starts with "note" tells what the service does where the specification leaves a choice; it is never counted.

usage: area_bcd.py --url <base_url> --world <world.json> --payer '<shell command prefix>'
"""

import argparse
import base64
import http.client
import json
import os
import re
import shlex
import subprocess
import sys
import time
import uuid
from decimal import Decimal
from urllib.parse import quote, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import padding as block_padding
from cryptography.hazmat.primitives.asymmetric import padding as rsa_padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import load_der_private_key, load_der_public_key

CREATE = "/api/integrator/order"
STATUS = "/api/integrator/order/status"
CANCEL = "/api/integrator/order/cancel"
REFUND = "/api/integrator/order/refund/v2"
CARD = "/api/v1/integrator/card/order-id"
WALLET = "/api/v1/third-party/order/"
ENVELOPE = ("identifier", "encryptedData", "encryptedKeys", "aes")
ERROR_KEYS = {"message", "statusCode", "exceptionGroup"}
STATUS_EXTRAS = {"initialCurrency", "acquiringCurrency", "acquiringAmount", "transactionId", "report"}
UUID_V4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}.*")
CENT = Decimal("0.01")
PROVIDER = "TBC"
PATIENCE = 20.0
BLOCK = 16


# what is found

class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, what, good, why=None):
        if good:
            self.passed += 1
            print("ok " + what, flush=True)
        else:
            self.failed += 1
            print("FAIL %s: %s" % (what, " ".join(str("not so" if why is None else why).split())), flush=True)
        return bool(good)

    def note(self, words):
        print("note " + words, flush=True)


# JSON

def json_text(value):
    """JSON without blanks; a Decimal is written as the number it is."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(key) + ":" + json_text(entry) for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def once(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key is written twice: " + ", ".join(keys))
    return dict(pairs)


def json_value(text):
    return json.loads(text, parse_float=Decimal, object_pairs_hook=once)


def is_number(value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value):
    return isinstance(value, str) and value != ""


def without_nones(fields):
    return {key: value for key, value in fields.items() if value is not None}


def new_id():
    return str(uuid.uuid4())


# envelopes

def to_base64(data):
    return base64.b64encode(data).decode("ascii")


def from_base64(text):
    if not isinstance(text, str):
        raise ValueError("not a text where base64 belongs: %r" % (text,))
    data = base64.b64decode(text, validate=True)
    if to_base64(data) != text:
        raise ValueError("not base64 as one writes it: " + text[:80])
    return data


def oaep(mgf1_hash):
    return rsa_padding.OAEP(mgf=rsa_padding.MGF1(algorithm=mgf1_hash), algorithm=hashes.SHA256(), label=None)


OAEP_SHA256 = oaep(hashes.SHA256())
OAEP_SHA256_MGF1_SHA1 = oaep(hashes.SHA1())
PKCS1 = rsa_padding.PKCS1v15()
PADDINGS = {"oaep-sha256": OAEP_SHA256, "pkcs1": PKCS1, "rsa-pkcs1": PKCS1}


def aes_cbc(key, iv):
    return Cipher(algorithms.AES(key), modes.CBC(iv))


def aes_seal(key, iv, plain):
    padder = block_padding.PKCS7(BLOCK * 8).padder()
    padded = padder.update(plain) + padder.finalize()
    encryptor = aes_cbc(key, iv).encryptor()
    return encryptor.update(padded) + encryptor.finalize()


def aes_blocks(key, iv, data):
    """The padded text: what stands in the blocks before the padding is looked at."""
    decryptor = aes_cbc(key, iv).decryptor()
    return decryptor.update(data) + decryptor.finalize()


def aes_open(key, iv, data):
    unpadder = block_padding.PKCS7(BLOCK * 8).unpadder()
    return unpadder.update(aes_blocks(key, iv, data)) + unpadder.finalize()


def key_text(key, iv):
    return (to_base64(key) + "." + to_base64(iv)).encode("ascii")


def read_key_text(text):
    if len(text) != 69:
        raise ValueError("the key text has %d bytes, not 69" % len(text))
    key, dot, iv = text.decode("ascii").partition(".")
    if dot == "":
        raise ValueError("the key text has no dot")
    key, iv = from_base64(key), from_base64(iv)
    if (len(key), len(iv)) != (32, 16):
        raise ValueError("key of %d bytes, IV of %d" % (len(key), len(iv)))
    return key, iv


def seal_envelope(public_key, padding, plain):
    key, iv = os.urandom(32), os.urandom(16)
    return {"encryptedData": to_base64(aes_seal(key, iv, plain)),
            "encryptedKeys": to_base64(public_key.encrypt(key_text(key, iv), padding)), "aes": True}


def open_keys(private_key, padding, encrypted_keys):
    return private_key.decrypt(from_base64(encrypted_keys), padding)


def open_envelope(private_key, padding, fields):
    key, iv = read_key_text(open_keys(private_key, padding, fields["encryptedKeys"]))
    return aes_open(key, iv, from_base64(fields["encryptedData"]))


def seal_block(public_key, plain):
    """The legacy scheme: the whole text in one RSA block, PKCS#1 v1.5."""
    return {"encryptedData": to_base64(public_key.encrypt(plain, PKCS1))}


def open_block(private_key, fields):
    return private_key.decrypt(from_base64(fields["encryptedData"]), PKCS1)


# the wire

class Answer:
    def __init__(self, http_status, text):
        self.http = http_status
        self.text = text
        try:
            self.body = json_value(text)
        except ValueError:
            self.body = None

    def field(self, key):
        return self.body.get(key) if isinstance(self.body, dict) else None

    def code(self):
        return self.field("statusCode")

    def group(self):
        return self.field("exceptionGroup")

    def good(self):
        return 200 <= self.http < 300

    def __str__(self):
        return "HTTP %d %s" % (self.http, self.text[:300])


def query_text(fields):
    """Query parameters, percent-encoded, `aes` as text."""
    parts = [(key, json_text(value) if isinstance(value, bool) else str(value)) for key, value in fields.items()]
    return "&".join(quote(key, safe="") + "=" + quote(value, safe="") for key, value in parts)


class Service:
    def __init__(self, base_url, recorded):
        self.recorded = recorded
        parts = urlsplit(base_url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connect = lambda: kind(parts.hostname, parts.port, timeout=30)
        self.prefix = parts.path.rstrip("/")

    def call(self, method, path, raw=None):
        headers = {"Accept": "application/json"}
        if raw is not None:
            headers["Content-Type"] = "application/json"
        connection = self.connect()
        try:
            connection.request(method, self.prefix + path, body=None if raw is None else raw.encode("utf-8"), headers=headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.read().decode("utf-8"))
        finally:
            connection.close()

    def send(self, method, path, fields):
        if method in ("GET", "DELETE"):
            return self.call(method, path + "?" + query_text(fields))
        return self.call(method, path, json_text(fields))


class Party:
    """One integrator: who it is, its keys and its scheme. `seen_keys` are the key texts of the answers it opened."""

    def __init__(self, service, entry, identifier):
        self.service = service
        self.name = entry["name"]
        self.identifier = identifier
        self.scheme = entry["scheme"]
        self.padding = PADDINGS[entry["scheme"]]
        self.service_key = load_der_public_key(from_base64(entry["servicePublicKey"]))
        self.private_key = load_der_private_key(from_base64(entry["privateKey"]), password=None)
        self.answer_keys = {"encryptedData"} if self.is_legacy() else {"encryptedData", "encryptedKeys", "aes"}
        self.seen_keys = []

    def is_legacy(self):
        return self.scheme == "rsa-pkcs1"

    def seal(self, inner, padding=None):
        plain = json_text(inner).encode("utf-8")
        sealed = seal_block(self.service_key, plain) if self.is_legacy() else seal_envelope(self.service_key, padding or self.padding, plain)
        return dict({"identifier": self.identifier}, **sealed)

    def open(self, fields):
        if self.is_legacy():
            return json_value(open_block(self.private_key, fields).decode("utf-8"))
        self.seen_keys.append(open_keys(self.private_key, self.padding, fields["encryptedKeys"]))
        return json_value(open_envelope(self.private_key, self.padding, fields).decode("utf-8"))

    def send(self, method, path, fields):
        return self.service.send(method, path, fields)

    def call(self, method, path, inner):
        return self.send(method, path, self.seal(inner))


class Orders(Party):
    """An integrator of areas B and D."""

    def __init__(self, service, entry, receiver):
        super().__init__(service, entry, entry["integratorId"])
        self.receiver = receiver

    def order(self, **fields):
        body = {"amount": 10, "receiverId": self.receiver["receiverId"], "receiverType": self.receiver["receiverType"],
                "integratorId": self.identifier, "integratorOrderId": new_id()}
        body.update(fields)
        return without_nones(body)

    def inner(self, order_id, **fields):
        return dict({"integratorId": self.identifier, "integratorOrderId": order_id}, **fields)

    def create(self, order):
        return self.call("POST", CREATE, order)

    def status(self, order_id):
        return self.call("GET", STATUS, self.inner(order_id))

    def cancel(self, order_id):
        return self.call("DELETE", CANCEL, self.inner(order_id))

    def refund(self, order_id, amount):
        return self.call("POST", REFUND, self.inner(order_id, amount=amount))

    def card(self, order_id):
        return self.call("GET", CARD, {"integratorOrderId": order_id})

    def wait(self, order_id, wanted):
        """The last status seen: one of those wanted unless patience ran out."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.status(order_id)
            status = self.open(answer.body).get("status") if answer.good() else str(answer)
            if status in wanted or time.monotonic() > end:
                return status
            time.sleep(0.2)


class Wallet(Party):
    """An integrator of area C."""

    def __init__(self, service, entry):
        super().__init__(service, entry, entry["identifier"])

    def inner(self, unique_id, **fields):
        return dict({"identifier": self.identifier, "uniqueId": unique_id}, **fields)

    def create(self, unique_id, uri):
        return self.call("POST", WALLET + "create", self.inner(unique_id, uri=uri))

    def finalize(self, unique_id, amount, final_status="SUCCESS"):
        return self.call("PUT", WALLET + "finalize", self.inner(unique_id, amount=amount, finalStatus=final_status))

    def details(self, unique_id):
        return self.call("GET", WALLET + "details", self.inner(unique_id))

    def delete(self, unique_id):
        return self.call("DELETE", WALLET + "delete", self.inner(unique_id))


class Stand:
    """What every scenario needs: the report, the integrators, the receivers and the payer."""

    def __init__(self, report, service, world, payer):
        self.report = report
        self.service = service
        self.world = world
        self.payer = payer
        self.receiver = next(entry for entry in world["receivers"] if entry["receiverType"] == "BRANCH" and entry.get("use") == "orders")
        self.parties = {}

    def integrator(self, name):
        return self.integrator_where(lambda entry: entry["name"] == name)

    def integrator_where(self, wanted):
        entry = next(entry for entry in self.world["integrators"] if wanted(entry))
        if entry["name"] not in self.parties:
            self.parties[entry["name"]] = Orders(self.service, entry, self.receiver)
        return self.parties[entry["name"]]

    def wallet(self):
        return Wallet(self.service, self.world["walletIntegrators"][0])

    def other_receiver(self):
        return next(entry for entry in self.world["receivers"] if entry["receiverId"] != self.receiver["receiverId"]
                    and entry["receiverType"] in ("BRANCH", "USER"))

    def qr_address(self, with_amount):
        return next(entry for entry in self.world["qrAddresses"] if (entry["amount"] is not None) == with_amount)

    def pay(self, deed, order_id):
        """The payer at the checkout: `paid` or `declined`."""
        command = "%s %s --order %s" % (self.payer, deed, shlex.quote(order_id))
        done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        why = "exit code %d, %s" % (done.returncode, done.stdout.decode("utf-8", "replace")[-300:])
        return self.report.check("the payer's command `%s` succeeds" % deed, done.returncode == 0, why)


# checks that many scenarios use

def check_sealed(report, what, party, answer):
    """The envelope of a success, exactly; then what is inside, or None."""
    if not report.check("%s: answered with success, sealed, exactly %s" % (what, ", ".join(sorted(party.answer_keys))),
                        answer.good() and isinstance(answer.body, dict) and set(answer.body) == party.answer_keys, answer):
        return None
    if not party.is_legacy():
        report.check(what + ": aes of the answer is true", answer.body["aes"] is True, answer.body["aes"])
    try:
        inner = party.open(answer.body)
    except (ValueError, KeyError, AttributeError) as error:
        report.check(what + ": the answer opens with the integrator's private key", False, repr(error))
        return None
    report.check(what + ": the answer opens with the integrator's private key", isinstance(inner, dict), inner)
    return inner if isinstance(inner, dict) else None


def check_exactly(report, what, party, answer, wanted):
    """A success whose inside is exactly `wanted`."""
    inner = check_sealed(report, what, party, answer)
    return inner is not None and report.check("%s: inside exactly %s" % (what, json_text(wanted)), inner == wanted, inner)


def check_error_shape(report, what, answer):
    body = answer.body
    good = not answer.good() and isinstance(body, dict) and set(body) == ERROR_KEYS and isinstance(body["message"], str)
    return report.check(what + ": refused, plain, exactly message, statusCode, exceptionGroup",
                        good and is_whole(body["statusCode"]) and is_whole(body["exceptionGroup"]), answer)


def check_refusal(report, what, answer, codes, group):
    codes = codes if isinstance(codes, set) else {codes}
    if check_error_shape(report, what, answer):
        report.check("%s: %s, group %d" % (what, " or ".join(map(str, sorted(codes))), group),
                     answer.code() in codes and answer.group() == group, answer)
        if len(codes) > 1:
            report.note("%s is answered with %s" % (what, answer.code()))


def check_created(report, what, party, order, answer=None):
    """A created order: integratorOrderId comes back beside the checkout address."""
    answer = party.create(order) if answer is None else answer
    inner = check_sealed(report, what, party, answer)
    if inner is None:
        return False
    report.check(what + ": inside exactly integratorOrderId and urlForQR", set(inner) == {"integratorOrderId", "urlForQR"}, inner)
    report.check(what + ": integratorOrderId comes back", inner.get("integratorOrderId") == order["integratorOrderId"], inner)
    return report.check(what + ": urlForQR is an address", re.match(r"https?://[^\s/]+", str(inner.get("urlForQR"))), inner)


def check_status(report, what, party, order_id, status, answer=None):
    inner = check_sealed(report, what, party, party.status(order_id) if answer is None else answer)
    if inner is None:
        return
    known = set(inner) - STATUS_EXTRAS
    report.check(what + ": inside integratorOrderId, status and nothing unheard of", known == {"integratorOrderId", "status"}, inner)
    extras = set(inner) & STATUS_EXTRAS
    report.check("%s: %s" % (what, "both currencies, as recorded" if party.service.recorded else "no extras, as documented"),
                 {"initialCurrency", "acquiringCurrency"} <= extras if party.service.recorded else not extras, inner)
    report.check("%s: the order is %s" % (what, status), inner.get("integratorOrderId") == order_id and inner.get("status") == status, inner)


def check_ends(report, what, party, order_id, *wanted):
    status = party.wait(order_id, wanted)
    return report.check("%s: the status becomes %s" % (what, " or ".join(wanted)), status in wanted, status)


def check_paid(stand, what, party, order):
    """Creates the order, lets the payer pay it, waits for SUCCESS."""
    order_id = order["integratorOrderId"]
    return (check_created(stand.report, what, party, order) and stand.pay("paid", order_id)
            and check_ends(stand.report, what, party, order_id, "SUCCESS"))


# area B

def check_create(stand):
    report, party = stand.report, stand.integrator("sandbox")
    order = party.order()
    check_created(report, "create", party, order)
    check_refusal(report, "create with a repeated integratorOrderId", party.create(order), 6023, 2)
    rich = party.order(amount=Decimal("12.50"), currency="GEL", language="KA")
    check_created(report, "create with currency, language and a decimal amount", party, rich)
    tries = [("amount is 0", party.order(amount=0), 6068, 1), ("amount with three decimals", party.order(amount=Decimal("1.234")), 6058, 1),
             ("receiverType is USER", party.order(receiverType="USER"), 6024, 2),
             ("saveCard without directLinkProvider", party.order(saveCard=True), 6091, 1)]
    for words, refused, code, group in tries:
        check_refusal(report, "create: " + words, party.create(refused), code, group)
    saving = party.order(amount=0, saveCard=True, directLinkProvider=PROVIDER)
    if party.service.recorded:
        check_created(report, "create with saveCard and amount 0, as recorded", party, saving)
    else:
        check_refusal(report, "create with saveCard and amount 0, as documented", party.create(saving), 6068, 1)


def check_missing_fields(stand):
    report, party = stand.report, stand.integrator("sandbox")
    order_id = new_id()
    for field in ENVELOPE:
        for method, path, inner in (("POST", CREATE, party.order(integratorOrderId=order_id)), ("GET", STATUS, party.inner(order_id))):
            fields = party.seal(inner)
            del fields[field]
            answer = party.send(method, path, fields)
            what = "%s %s without %s" % (method, path, field)
            check_error_shape(report, what, answer)
            report.note("%s is answered with %s, group %s" % (what, answer.code(), answer.group()))
    check_refusal(report, "none of the refused creates made an order", party.status(order_id), 6005, 5)


def check_life(stand):
    report, party = stand.report, stand.integrator("sandbox")
    order = party.order()
    order_id = order["integratorOrderId"]
    check_created(report, "create before a cancel", party, order)
    check_status(report, "status after create", party, order_id, "INITIAL")
    check_exactly(report, "cancel", party, party.cancel(order_id), {"integratorOrderId": order_id, "status": "CANCELED"})
    check_status(report, "status after cancel", party, order_id, "CANCELED")
    check_refusal(report, "cancel again", party.cancel(order_id), 6006, 2)
    check_refusal(report, "status of an unknown order", party.status(new_id()), 6005, 5)
    declined = party.order()
    check_created(report, "create before a declined payment", party, declined)
    if stand.pay("declined", declined["integratorOrderId"]):
        check_ends(report, "declined payment", party, declined["integratorOrderId"], "FAILED")


def check_card_record(report, what, record):
    keys = {"token", "provider", "cardMask", "expirationDate", "cardBrand"}
    if not report.check(what + ": inside exactly " + ", ".join(sorted(keys)), set(record) == keys, record):
        return
    report.check(what + ": token is a UUID v4", UUID_V4.fullmatch(str(record["token"])), record["token"])
    report.check(what + ": provider is the one the order named", record["provider"] == PROVIDER, record["provider"])
    report.check(what + ": cardMask is 6 digits, asterisks, 4 digits", re.fullmatch(r"[0-9]{6}\*+[0-9]{4}", str(record["cardMask"])), record["cardMask"])
    report.check(what + ": expirationDate is MM/YY", re.fullmatch(r"(0[1-9]|1[0-2])/[0-9]{2}", str(record["expirationDate"])), record["expirationDate"])
    report.check(what + ": cardBrand is a text", is_text(record["cardBrand"]), record["cardBrand"])


def check_card_and_refund(stand):
    """A card is saved, read, charged; what it paid is given back in parts."""
    report, party = stand.report, stand.integrator("sandbox")
    order = party.order(amount=20, saveCard=True, directLinkProvider=PROVIDER)
    order_id = order["integratorOrderId"]
    if not check_created(report, "create with saveCard", party, order):
        return
    check_refusal(report, "card of an order not yet paid", party.card(order_id), 6075, 5)
    if not (stand.pay("paid", order_id) and check_ends(report, "order with saveCard", party, order_id, "SUCCESS")):
        return
    record = check_sealed(report, "card", party, party.card(order_id))
    if record is not None:
        check_card_record(report, "card", record)
        check_charge(report, party, record.get("token"))
        check_refusal(report, "card of another integrator's order", stand.integrator("sandbox-bare").card(order_id), {6005, 6075}, 5)
    check_refund(report, party, order_id)


def check_charge(report, party, token):
    """A charge of a saved card needs no payer; its answer has the checkout address as documented, and recorded it has none."""
    order = party.order(amount=Decimal("5.50"), cardToken=token)
    order_id = order["integratorOrderId"]
    inner = check_sealed(report, "create with cardToken", party, party.create(order))
    if inner is None:
        return
    keys = {"integratorOrderId"} if party.service.recorded else {"integratorOrderId", "urlForQR"}
    report.check("create with cardToken: inside exactly %s" % ", ".join(sorted(keys)),
                 inner.get("integratorOrderId") == order_id and set(inner) == keys, inner)
    check_ends(report, "charge with cardToken", party, order_id, "SUCCESS")
    check_refusal(report, "card of an order that saved none", party.card(order_id), 6075, 5)
    check_refusal(report, "cancel of a paid order", party.cancel(order_id), 6006, 2)


def check_refund(report, party, order_id):
    requested = {"integratorOrderId": order_id, "status": "REFUND_REQUESTED"}
    check_refusal(report, "refund of more than was paid", party.refund(order_id, Decimal("20.01")), 6007, 1)
    check_exactly(report, "refund of a part", party, party.refund(order_id, Decimal("7.25")), requested)
    check_ends(report, "refund of a part", party, order_id, "PARTIALLY_REFUNDED")
    check_refusal(report, "refund of more than is left", party.refund(order_id, Decimal("12.76")), 6007, 1)
    check_exactly(report, "refund of the rest", party, party.refund(order_id, Decimal("12.75")), requested)
    check_ends(report, "refund of the rest", party, order_id, "REFUNDED_BY_INTEGRATOR", "REFUNDED_BY_SERVICE", "REFUNDED_BY_OPERATOR")


def check_permissions(stand):
    report, bare = stand.report, stand.integrator("sandbox-bare")
    check_refusal(report, "saveCard without permission", bare.create(bare.order(saveCard=True)), 6031, 3)
    both = bare.order(saveCard=True, directLinkProvider=PROVIDER)
    check_refusal(report, "saveCard and directLinkProvider without permission", bare.create(both), {6031, 6033}, 3)
    check_refusal(report, "cardToken without permission", bare.create(bare.order(cardToken=new_id())), 6090, 3)
    order = bare.order()
    if check_paid(stand, "order of an integrator that may only create", bare, order):
        check_refusal(report, "refund without permission", bare.refund(order["integratorOrderId"], 1), 6038, 3)


def check_split(stand):
    report, party = stand.report, stand.integrator("sandbox")
    own, other = ({"receiverType": entry["receiverType"], "receiverIdentifier": entry["receiverId"]} for entry in (stand.receiver, stand.other_receiver()))
    external = {"receiverType": "IBAN", "receiverIdentifier": "GE29NB0000000101904917"}

    def split(*shares):
        return party.order(splitDetails=[dict(receiver, amount=Decimal(amount)) for receiver, amount in shares])
    check_created(report, "create with splitDetails", party, split((own, "6.50"), (other, "3.50")))
    tries = [("adds up to less than the order", split((own, "6"), (other, "3")), 6059), ("does not name the order's receiver", split((other, "5"), (external, "5")), 6060),
             ("names the order's receiver twice", split((own, "4"), (own, "2"), (other, "4")), 6061), ("has one entry", split((own, "10")), 6062)]
    for words, order, code in tries:
        check_refusal(report, "create: split " + words, party.create(order), code, 1)


def properties(**values):
    return {key: {"value": value} for key, value in values.items()}


TREASURY = properties(PERSONAL_NUMBER="01001012345", PAYER_NAME="ნინო მაგალითაშვილი", PURPOSE="საშემოსავლო გადასახადი", IS_FOREIGN="false")
TRAFFIC_FINE = properties(SERVICE_PROVIDER_CODE="PATROL", SERVICE_CODE="FINE", ENTITY_IDENTIFIER="01001012345", CAR_IDENTIFIER="AB123CD")


def check_order_types(stand):
    """The order type is a setting of the integrator; the keys of orderProperties follow it."""
    report = stand.report
    for name, whole in (("sandbox-treasury", TREASURY), ("sandbox-traffic-fine", TRAFFIC_FINE)):
        party = stand.integrator(name)
        check_created(report, name + " with its mandatory keys", party, party.order(orderProperties=whole))
        for missing in whole:
            rest = {key: value for key, value in whole.items() if key != missing}
            check_refusal(report, "%s without %s" % (name, missing), party.create(party.order(orderProperties=rest)), 6078, 1)
    treasury, default = stand.integrator("sandbox-treasury"), stand.integrator("sandbox")
    odd = dict(TREASURY, IS_FOREIGN={"value": "yes"})
    check_refusal(report, "sandbox-treasury: IS_FOREIGN is neither true nor false", treasury.create(treasury.order(orderProperties=odd)), 6077, 1)
    check_refusal(report, "sandbox: keys of TREASURY", default.create(default.order(orderProperties=TREASURY)), 6079, 1)
    optional = properties(DESCRIPTION="ყავა", INVOICE_NUMBER_LABEL="2026/11")
    check_created(report, "sandbox with optional keys", default, default.order(orderProperties=optional))


# the envelope of areas B and D

def wrapped(text, newline):
    return newline.join(re.findall(".{1,64}", text))


def rewritten(fields, change):
    """The two base64 fields as another language would have sent them."""
    return dict(fields, **{key: change(fields[key]) for key in ("encryptedData", "encryptedKeys") if key in fields})


def seal_until(party, inner, wanted):
    """Seals anew until the random outcome is the one wanted."""
    while True:
        fields = party.seal(inner)
        if wanted(fields):
            return fields


def has_plus(fields):
    return all("+" in fields[key].strip("+") for key in ("encryptedData", "encryptedKeys"))


def starts_with_plus(fields):
    return fields["encryptedData"].startswith("+")


def blanks(text):
    return text.replace("+", " ")


def check_body_quirks(stand):
    """What clients in other languages put into the JSON body."""
    report, party = stand.report, stand.integrator("sandbox")
    for aes in (True, "true", "True", "1", 1):
        order = party.order()
        answer = party.send("POST", CREATE, dict(party.seal(order), aes=aes))
        check_created(report, "create with aes " + json_text(aes), party, order, answer)
    for words, newline in (("line feeds", "\n"), ("carriage return and line feed", "\r\n")):
        order = party.order()
        answer = party.send("POST", CREATE, rewritten(party.seal(order), lambda text: wrapped(text, newline)))
        check_created(report, "create with base64 wrapped at 64 columns by " + words, party, order, answer)
    order = party.order()
    answer = party.send("POST", CREATE, rewritten(seal_until(party, order, has_plus), blanks))
    check_created(report, "create with base64 whose + became a blank", party, order, answer)
    order = party.order()
    answer = party.send("POST", CREATE, party.seal(order, OAEP_SHA256_MGF1_SHA1))
    check_created(report, "create with OAEP whose MGF1 hash is SHA-1", party, order, answer)


def check_text_amount(stand):
    """An amount as text is the amount it says: that much can be refunded, and not a hundredth more."""
    report, party = stand.report, stand.integrator("sandbox")
    order = party.order(amount="12.50")
    order_id = order["integratorOrderId"]
    if check_paid(stand, "order with the amount as text", party, order):
        check_refusal(report, "amount as text: refund of a hundredth more", party.refund(order_id, "12.51"), 6007, 1)
        requested = {"integratorOrderId": order_id, "status": "REFUND_REQUESTED"}
        check_exactly(report, "amount as text: refund of the whole, as text", party, party.refund(order_id, "12.50"), requested)


def check_query_quirks(stand):
    """What clients in other languages put into the query."""
    report, party = stand.report, stand.integrator("sandbox")
    order = party.order()
    order_id = order["integratorOrderId"]
    check_created(report, "create before the queries", party, order)
    inner = party.inner(order_id)

    def asked(what, query):
        check_status(report, "status with " + what, party, order_id, "INITIAL", party.service.call("GET", STATUS + "?" + query))
    for aes in ("true", "True", "1"):
        asked("aes=" + aes, query_text(dict(party.seal(inner), aes=aes)))
    fields = seal_until(party, inner, has_plus)
    asked("a + that is not percent-encoded", query_text(fields).replace("%2B", "+"))
    asked("a + that became a blank", query_text(rewritten(fields, blanks)))
    asked("a + that became a blank, the first character", query_text(rewritten(seal_until(party, inner, starts_with_plus), blanks)))
    asked("base64 wrapped at 64 columns", query_text(rewritten(party.seal(inner), lambda text: wrapped(text, "\n"))))
    fields = party.seal(inner)
    for words, keys in (("the parameters turned round", ENVELOPE[::-1]), ("the parameters in alphabetical order", sorted(ENVELOPE))):
        asked(words, query_text({key: fields[key] for key in keys}))
    asked("unknown parameters", "lang=ka&" + query_text(fields) + "&_=1700000000&empty=")
    asked("OAEP whose MGF1 hash is SHA-1", query_text(party.seal(inner, OAEP_SHA256_MGF1_SHA1)))


def check_pkcs1(stand):
    if not any(map(has_pkcs1, stand.world["integrators"])):
        stand.report.note("no integrator of this world has the scheme pkcs1 and the order type DEFAULT")
        return
    party = stand.integrator_where(has_pkcs1)
    order = party.order()
    check_created(stand.report, "create with keys padded by PKCS#1", party, order)
    check_status(stand.report, "status with keys padded by PKCS#1", party, order["integratorOrderId"], "INITIAL")


def has_pkcs1(entry):
    return entry["scheme"] == "pkcs1" and entry["orderType"] == "DEFAULT"


def has_valid_padding(padded):
    length = padded[-1]
    return 1 <= length <= BLOCK and padded[-length:] == bytes([length]) * length


def random_data(key, iv, length):
    """Bytes that cannot be read by chance: one random text in 256 would end in a valid padding."""
    while True:
        data = os.urandom(length)
        if not has_valid_padding(aes_blocks(key, iv, data)):
            return data


def foreign_keys(party, data):
    """Keys, well sealed, that are not those of the data."""
    while True:
        key, iv = os.urandom(32), os.urandom(16)
        if not has_valid_padding(aes_blocks(key, iv, data)):
            return to_base64(party.service_key.encrypt(key_text(key, iv), party.padding))


def envelopes_that_do_not_open(party, inner):
    """What is wrong with it, and the envelope."""
    plain = json_text(inner).encode("utf-8")
    key, iv = os.urandom(32), os.urandom(16)
    data, keys = aes_seal(key, iv, plain), party.service_key.encrypt(key_text(key, iv), party.padding)
    to_itself = party.private_key.public_key().encrypt(key_text(key, iv), party.padding)
    size = len(keys)

    def envelope(some_data, some_keys):
        return {"identifier": party.identifier, "encryptedData": to_base64(some_data),
                "encryptedKeys": some_keys if isinstance(some_keys, str) else to_base64(some_keys), "aes": True}
    return [("random bytes for encryptedData", envelope(random_data(key, iv, len(data)), keys)),
            ("random bytes for encryptedKeys", envelope(data, os.urandom(size))),
            ("random bytes below the modulus for encryptedKeys", envelope(data, b"\0" + os.urandom(size - 1))),
            ("keys sealed to the integrator itself", envelope(data, to_itself)),
            ("keys of other data", envelope(data, foreign_keys(party, data))),
            ("encryptedData cut by a block", envelope(data[:-BLOCK], keys)),
            ("encryptedData cut by a byte", envelope(data[:-1], keys)),
            ("encryptedKeys cut by a byte", envelope(data, keys[:-1])),
            ("encryptedKeys cut to half", envelope(data, keys[:size // 2]))]


def check_same_refusal(report, what, answers):
    """All failures to open look the same from outside."""
    for words, answer in answers:
        check_refusal(report, "%s, %s" % (what, words), answer, 6010, 6)
    looks = {(answer.http, answer.text) for _, answer in answers}
    report.check("%s: the very same answer each time it does not open" % what, len(looks) == 1, sorted(looks))


def check_unreadable(stand):
    report, party = stand.report, stand.integrator("sandbox")
    order = party.order()
    order_id = order["integratorOrderId"]
    for what, method, path, inner in (("create", "POST", CREATE, order), ("status", "GET", STATUS, party.inner(order_id)), ("card", "GET", CARD, {"integratorOrderId": order_id})):
        answers = [(words, party.send(method, path, fields)) for words, fields in envelopes_that_do_not_open(party, inner)]
        check_same_refusal(report, what, answers)
    check_refusal(report, "what did not open made no order", party.status(order_id), 6005, 5)
    refused = dict(party.seal(order), aes=False)
    check_refusal(report, "create with aes false beside encryptedKeys", party.send("POST", CREATE, refused), 6011, 6)
    asked = dict(party.seal(party.inner(order_id)), aes="false")
    check_refusal(report, "status with aes=false beside encryptedKeys", party.send("GET", STATUS, asked), 6011, 6)


def check_identifiers(stand):
    """Outside one integrator, inside another."""
    report, party, bare = stand.report, stand.integrator("sandbox"), stand.integrator("sandbox-bare")
    order = party.order()
    order_id = order["integratorOrderId"]
    check_refusal(report, "create: another's identifier outside", bare.create(order), 6004, 5)
    check_refusal(report, "create: another's integratorId inside", party.create(party.order(integratorId=bare.identifier)), 6004, 5)
    check_created(report, "create after the refusal", party, order)
    check_refusal(report, "status: another's identifier outside", bare.call("GET", STATUS, party.inner(order_id)), 6004, 5)
    check_refusal(report, "cancel: another's identifier outside", bare.call("DELETE", CANCEL, party.inner(order_id)), 6004, 5)
    check_refusal(report, "status of another integrator's order", bare.status(order_id), 6005, 5)
    stranger = dict(party.seal(party.order()), identifier=new_id())
    check_refusal(report, "create: an identifier nobody has", party.send("POST", CREATE, stranger), {6004, 6008}, 5)
    check_status(report, "status after the refusals", party, order_id, "INITIAL")


def check_legacy(stand):
    """One RSA block each way, neither encryptedKeys nor aes."""
    report, party = stand.report, stand.integrator("sandbox-legacy")
    order = party.order()
    order_id = order["integratorOrderId"]
    check_created(report, "legacy create", party, order)
    check_status(report, "legacy status", party, order_id, "INITIAL")
    check_exactly(report, "legacy cancel", party, party.cancel(order_id), {"integratorOrderId": order_id, "status": "CANCELED"})
    order = party.order()
    answer = party.send("POST", CREATE, rewritten(party.seal(order), lambda text: wrapped(text, "\n")))
    check_created(report, "legacy create with base64 wrapped at 64 columns", party, order, answer)
    check_same_refusal(report, "legacy create", unreadable_blocks(party, "POST", CREATE, party.order()))


def unreadable_blocks(party, method, path, inner):
    """What is wrong with the one RSA block, and the answer to it."""
    block = from_base64(party.seal(inner)["encryptedData"])
    to_itself = party.private_key.public_key().encrypt(json_text(inner).encode("utf-8"), PKCS1)
    tries = [("random bytes", b"\0" + os.urandom(len(block) - 1)), ("a block sealed to the integrator itself", to_itself), ("a block cut by a byte", block[:-1])]
    return [(words, party.send(method, path, {"identifier": party.identifier, "encryptedData": to_base64(data)})) for words, data in tries]


def check_fresh_keys(stand):
    for party in stand.parties.values():
        keys, ivs = zip(*(text.split(b".") for text in party.seen_keys)) if party.seen_keys else ((), ())
        if len(keys) > 1:
            stand.report.check("%s: each of %d answers has its own key and IV" % (party.name, len(keys)),
                               len(set(keys)) == len(keys) and len(set(ivs)) == len(ivs), "a key or an IV came twice")


# area C

def check_registered(report, what, wallet, uri, with_amount):
    """The order and its inside, or None when it was not registered."""
    unique_id = new_id()
    inner = check_sealed(report, what, wallet, wallet.create(unique_id, uri))
    if inner is None:
        return unique_id, None
    keys = {"uniqueId", "receiverName", "status"} | ({"amount"} if with_amount else {"minAmountAllowed", "maxAmountAllowed"})
    good = report.check("%s: inside exactly %s" % (what, ", ".join(sorted(keys))), set(inner) == keys, inner)
    good &= report.check(what + ": REGISTERED, uniqueId comes back", inner.get("status") == "REGISTERED" and inner.get("uniqueId") == unique_id, inner)
    good &= report.check(what + ": receiverName is a text", is_text(inner.get("receiverName")), inner)
    return unique_id, inner if good else None


def check_finalized(report, what, wallet, unique_id, amount, status):
    check_exactly(report, what, wallet, wallet.finalize(unique_id, amount), {"uniqueId": unique_id, "status": status})


def check_wallet_details(report, what, wallet, unique_id, amount):
    inner = check_sealed(report, what, wallet, wallet.details(unique_id))
    keys = {"uniqueId", "amount", "status", "createdAt", "finalisedAt"}
    if inner is None or not report.check("%s: inside exactly %s" % (what, ", ".join(sorted(keys))), set(inner) == keys, inner):
        return
    report.check(what + ": SUCCESS, uniqueId and amount as finalized", (inner["uniqueId"], inner["amount"], inner["status"]) == (unique_id, amount, "SUCCESS"), inner)
    for key in ("createdAt", "finalisedAt"):
        report.check("%s: %s is a time" % (what, key), DATETIME.fullmatch(str(inner[key])), inner[key])


def check_wallet_fixed(stand):
    """A QR that carries the amount."""
    report, wallet, address = stand.report, stand.wallet(), stand.qr_address(True)
    unique_id, inner = check_registered(report, "wallet create with an amount in the QR", wallet, address["uri"], True)
    if inner is None:
        return
    amount = inner["amount"]
    report.check("wallet create with an amount in the QR: amount is that of the QR", is_number(amount) and amount == address["amount"], inner)
    check_refusal(report, "wallet create with a repeated uniqueId", wallet.create(unique_id, address["uri"]), 6109, 1)
    check_finalized(report, "wallet finalize with a wrong amount", wallet, unique_id, amount + 1, "WRONG_AMOUNT")
    check_finalized(report, "wallet finalize with a hundredth less", wallet, unique_id, amount - CENT, "WRONG_AMOUNT")
    check_finalized(report, "wallet finalize", wallet, unique_id, amount, "SUCCESS")
    check_finalized(report, "wallet finalize again", wallet, unique_id, amount, "ALREADY_FINALISED")
    check_finalized(report, "wallet finalize again with a wrong amount", wallet, unique_id, amount + 1, "ALREADY_FINALISED")
    check_wallet_details(report, "wallet details", wallet, unique_id, amount)
    check_error_shape(report, "wallet delete after finalize", wallet.delete(unique_id))
    check_finalized(report, "wallet finalize of an order never created", wallet, new_id(), amount, "ORDER_NOT_FOUND")


def check_wallet_open(stand):
    """A QR that leaves the amount to the payer, within limits."""
    report, wallet, address = stand.report, stand.wallet(), stand.qr_address(False)
    what = "wallet create without an amount in the QR"
    unique_id, inner = check_registered(report, what, wallet, address["uri"], False)
    if inner is None:
        return
    smallest, largest = inner["minAmountAllowed"], inner["maxAmountAllowed"]
    if not report.check(what + ": the minimum is above 0 and not above the maximum", is_number(smallest) and is_number(largest) and 0 < smallest <= largest, inner):
        return
    if smallest > CENT:
        check_finalized(report, "wallet finalize below the minimum", wallet, unique_id, smallest - CENT, "AMOUNT_NOT_IN_RANGE")
    else:
        report.note("the minimum is the smallest amount there is: nothing to try below it")
    check_finalized(report, "wallet finalize above the maximum", wallet, unique_id, largest + CENT, "AMOUNT_NOT_IN_RANGE")
    check_finalized(report, "wallet finalize at the minimum", wallet, unique_id, smallest, "SUCCESS")
    check_wallet_details(report, "wallet details of an amount the payer chose", wallet, unique_id, smallest)


def check_wallet_delete(stand):
    report, wallet, address = stand.report, stand.wallet(), stand.qr_address(True)
    unique_id, inner = check_registered(report, "wallet create before a delete", wallet, address["uri"], True)
    if inner is None:
        return
    deleted = check_sealed(report, "wallet delete", wallet, wallet.delete(unique_id))
    if deleted is None:
        return
    report.check("wallet delete: inside exactly uniqueId and status", set(deleted) == {"uniqueId", "status"}
                 and deleted["uniqueId"] == unique_id and is_text(deleted["status"]), deleted)
    report.note("wallet delete is answered with status %s" % deleted.get("status"))
    check_finalized(report, "wallet finalize after delete", wallet, unique_id, inner["amount"], "ORDER_NOT_FOUND")
    details = check_sealed(report, "wallet details after delete", wallet, wallet.details(unique_id))
    report.check("wallet details after delete: FAILED", details is not None and details.get("status") == "FAILED", details or "no answer that opens")


def check_wallet_refusals(stand):
    report, wallet, address = stand.report, stand.wallet(), stand.qr_address(True)
    uri = address["uri"]
    create, finalize = WALLET + "create", WALLET + "finalize"
    for missing in ("uniqueId", "uri"):
        inner = wallet.inner(new_id(), uri=uri)
        del inner[missing]
        check_refusal(report, "wallet create: %s is missing" % missing, wallet.call("POST", create, inner), 6109, 1)
    inner = dict(wallet.inner(new_id(), uri=uri), identifier=new_id())
    check_refusal(report, "wallet create: another identifier inside", wallet.call("POST", create, inner), 6044, 5)
    stranger = dict(wallet.seal(wallet.inner(new_id(), uri=uri)), identifier=new_id())
    check_refusal(report, "wallet create: an identifier nobody has", wallet.send("POST", create, stranger), 6044, 5)
    check_refusal(report, "wallet details of an unknown order", wallet.details(new_id()), 6045, 5)
    for field in ("identifier", "encryptedData"):
        for method, path, body in (("POST", create, wallet.inner(new_id(), uri=uri)), ("GET", WALLET + "details", wallet.inner(new_id()))):
            fields = wallet.seal(body)
            del fields[field]
            check_error_shape(report, "%s %s without %s" % (method, path, field), wallet.send(method, path, fields))
    check_same_refusal(report, "wallet create", unreadable_blocks(wallet, "POST", create, wallet.inner(new_id(), uri=uri)))
    check_same_refusal(report, "wallet details", unreadable_blocks(wallet, "GET", WALLET + "details", wallet.inner(new_id())))
    check_final_status(report, wallet, address, finalize)


def check_final_status(report, wallet, address, finalize):
    """A finalStatus that the service does not take leaves the order as it was."""
    unique_id, inner = check_registered(report, "wallet create before an odd finalStatus", wallet, address["uri"], True)
    if inner is None:
        return
    amount = inner["amount"]
    check_refusal(report, "wallet finalize: finalStatus FAILED", wallet.finalize(unique_id, amount, "FAILED"), 6110, 1)
    for missing in ("amount", "finalStatus"):
        fields = wallet.inner(unique_id, amount=amount, finalStatus="SUCCESS")
        del fields[missing]
        check_refusal(report, "wallet finalize: %s is missing" % missing, wallet.call("PUT", finalize, fields), 6110, 1)
    lenient = wallet.finalize(unique_id, amount, " SUCCESS")
    report.note("finalStatus with a leading blank is answered with %s" % (lenient.code() or wallet.open(lenient.body)))


def check_wallet_rejected(stand):
    report, wallet = stand.report, stand.wallet()
    uri, changed = re.subn(r"(receiverId=)[^&#]*", lambda found: found.group(1) + new_id(), stand.qr_address(False)["uri"])
    if changed == 0:
        report.note("the QR address without an amount names no receiverId: no unknown receiver tried")
        return
    unique_id = new_id()
    inner = check_sealed(report, "wallet create for an unknown receiver", wallet, wallet.create(unique_id, uri))
    if inner is None:
        return
    report.check("wallet create for an unknown receiver: REJECTED, uniqueId comes back", (inner.get("uniqueId"), inner.get("status")) == (unique_id, "REJECTED"), inner)
    report.check("wallet create for an unknown receiver: rejectReason is a text", is_text(inner.get("rejectReason")), inner)
    check_finalized(report, "wallet finalize of a rejected order", wallet, unique_id, 1, "ORDER_NOT_FOUND")


def check_wallet_quirks(stand):
    """A wrapped block in the body, a + that became a blank in the query."""
    report, wallet, address = stand.report, stand.wallet(), stand.qr_address(True)
    unique_id = new_id()
    fields = rewritten(wallet.seal(wallet.inner(unique_id, uri=address["uri"])), lambda text: wrapped(text, "\n"))
    inner = check_sealed(report, "wallet create with base64 wrapped at 64 columns", wallet, wallet.send("POST", WALLET + "create", fields))
    if inner is None:
        return
    fields = seal_until(wallet, wallet.inner(unique_id), lambda sealed: "+" in sealed["encryptedData"])
    answer = wallet.service.call("GET", WALLET + "details?" + query_text(fields).replace("%2B", "+"))
    details = check_sealed(report, "wallet details with a + that is not percent-encoded", wallet, answer)
    report.check("wallet details before finalize: REGISTERED", details is not None and details.get("status") == "REGISTERED", details or "no answer that opens")


# the whole run

SCENARIOS = [check_create, check_missing_fields, check_life, check_card_and_refund, check_permissions, check_split, check_order_types,
             check_body_quirks, check_text_amount, check_query_quirks, check_pkcs1, check_unreadable, check_identifiers, check_legacy,
             check_wallet_fixed, check_wallet_open, check_wallet_delete, check_wallet_refusals, check_wallet_rejected, check_wallet_quirks,
             check_fresh_keys]
MISHAPS = (OSError, http.client.HTTPException, subprocess.SubprocessError, ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)


def run(report, service, world, payer):
    """Every scenario, also when one before it could not be ended."""
    stand = Stand(report, service, world, payer)
    for scenario in SCENARIOS:
        try:
            scenario(stand)
        except MISHAPS as error:
            report.check("%s reaches its end" % scenario.__name__, False, repr(error))


def read_arguments(arguments):
    parser = argparse.ArgumentParser(prog="area_bcd.py", description="Checks areas B, C and D of a service that runs.")
    parser.add_argument("--url", required=True, help="base address of the service")
    parser.add_argument("--world", required=True, help="file that says who exists there, keys included")
    parser.add_argument("--payer", required=True, help="shell command; `paid --order <id>` or `declined --order <id>` is put behind it")
    parser.add_argument("--shape", choices=("documented", "recorded"), default="documented",
                        help="answers as the specification has them, or as they were recorded at the live service")
    return parser.parse_args(arguments)


def main(arguments):
    given = read_arguments(arguments)
    report = Report()
    try:
        with open(given.world, encoding="utf-8") as file:
            world = json_value(file.read())
        run(report, Service(given.url, given.shape == "recorded"), world, given.payer)
    except MISHAPS as error:
        report.check("the run reaches its end", False, repr(error))
    print("%d checks, %d failed" % (report.passed + report.failed, report.failed), flush=True)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
