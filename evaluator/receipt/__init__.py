"""Signed receipts: what a server says that it scored, as a file that anybody can check without asking the server."""

from evaluator.public.rounding import rounded_for
from evaluator.receipt.canonical import canonical, parse_receipt, read_receipt
from evaluator.receipt.document import FORMAT, make_receipt
from evaluator.receipt.errors import KeyTextError, ReceiptError, SigningKeyError
from evaluator.receipt.keys import draw_signing_key, key_id, load_signing_key, public_keys_in, to_base64
from evaluator.receipt.signature import Verdict, sign, verify
from evaluator.receipt.statement import Statement, statement_of

__all__ = [
    "FORMAT",
    "KeyTextError",
    "ReceiptError",
    "SigningKeyError",
    "Statement",
    "Verdict",
    "canonical",
    "draw_signing_key",
    "key_id",
    "load_signing_key",
    "make_receipt",
    "parse_receipt",
    "public_keys_in",
    "read_receipt",
    "rounded_for",
    "sign",
    "statement_of",
    "to_base64",
    "verify",
]
