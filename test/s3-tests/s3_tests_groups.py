"""A pytest plugin: sorts the tests of ceph/s3-tests into groups, and marks those that are expected to fail.

A test that fails without being listed fails the run, and so does a listed one that passes.
"""
import os
import re
from collections import Counter

import pytest

# The first group whose pattern is found in the name of a test, or in one of its markers, is its group.
GROUPS = [
    ("lifecycle", r"lifecycle|^test_lc_|cloud_transition|cloud_restore|expir\w*_tag|restore_object"),
    ("policies", r"bucket_policy|policy_acl|_policy|iam_|block_public|public_block|user_policy"),
    ("logging", r"bucket_logging|logging"),
    ("encryption", r"sse|encrypt|kms"),
    ("POST forms", r"test_post_object"),
    ("CORS", r"cors"),
    ("presigned URLs", r"x_amz_expires|presigned|raw_put_authenticated|raw_authenticated$"),
    ("object lock", r"object_lock|object_legal_hold|object_retention"),
    ("checksums", r"checksum|cksum|_crc|sha256"),
    ("conditions", r"ifmatch|ifnonmatch|ifnonematch|ifmodified|ifunmodified|if_match|if_none_match|conditional_write|if_last_modified|if_size"),
    ("copies", r"copy"),
    ("versions", r"version|delete_marker"),
    ("multipart uploads", r"multipart|upload_part|atomic_multipart"),
    ("access control", r"acl|grant|access_bucket|ownership|public|anonymous|anon|object_raw|_not_owned|not_owner|authenticated|_auth_|bad_access|tenant"),
    ("listings", r"bucket_list|list_|listing|basic_key_count"),
    ("objects", r"object|tagging|tag|range|atomic|append|torrent|write_|head|get_obj|put_obj|read_"),
]


# These send more than a thousand requests, or wait for locks to end.
SLOW = r"not_skip_special|delete_key_limit|changing_mode"


# It expects no other buckets, but tests run in parallel.
ALONE = ["test_list_buckets_paginated"]


def group_of(item):
    names = [item.function.__name__] + [mark.name for mark in item.iter_markers()]
    return next((group for group, pattern in GROUPS if any(re.search(pattern, name) for name in names)), "buckets and requests")


def read_expected(path):
    """Returns the reason for each listed test. A section begins with its reason, and has the names of tests."""
    reasons, reason = {}, ""
    with open(path, encoding="utf-8") as lines:
        for line in map(str.strip, lines):
            if line.startswith("["):
                reason = line.strip("[]")
            elif line and not line.startswith("#"):
                reasons[line] = reason
    return reasons


def pytest_addoption(parser):
    parser.addoption("--expected-failures", help="the list of the tests that are expected to fail")
    parser.addoption("--groups", help="run only these groups, separated by commas")
    parser.addoption("--without-slow", action="store_true", help="don't run what takes more than ten seconds")


def clean_up_once():
    """The suite empties the buckets of three users before and after each test. Here, the users are one, and the store is thrown away at the end."""
    from s3tests import functional

    def teardown():
        try:
            functional.nuke_prefixed_buckets(prefix=functional.prefix)
        except Exception:  # a locked object stays
            pass

    functional.setup = lambda: None
    functional.teardown = teardown


def pytest_collection_modifyitems(config, items):
    clean_up_once()
    expected = config.getoption("--expected-failures")
    reasons = read_expected(expected) if expected else {}
    groups = config.getoption("--groups")
    kept, left = [], []
    for item in items:
        item.user_properties.append(("group", group_of(item)))
        reason = reasons.get(item.name)
        if item.name in ALONE or (groups and group_of(item) not in groups.split(",")) or (config.getoption("--without-slow") and re.search(SLOW, item.name)):
            left.append(item)
            continue
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
        kept.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)
    unknown = set(reasons) - {item.name for item in kept + left}
    if unknown and not groups:
        raise pytest.UsageError("listed, but not in the suite: " + ", ".join(sorted(unknown)))


def pytest_terminal_summary(terminalreporter):
    passed, total = Counter(), Counter()
    for outcome in ("passed", "failed", "xfailed", "error"):
        for report in terminalreporter.getreports(outcome):
            if report.when == "call" or outcome == "error":
                group = dict(report.user_properties).get("group", "?")
                total[group] += 1
                passed[group] += outcome == "passed"
    for group in [name for name, _ in GROUPS] + ["buckets and requests"]:
        if total[group]:
            terminalreporter.write_line(f"{group:22}{passed[group]:4} of {total[group]:4}")
