"""10,000 replicates of 40 metrics over all queries and 62 slices."""

from tests.performance.targets import bootstrap_time, growth, missed


def test_all_intervals_of_pinpoint_take_a_second(reports):
    assert reports[0]["n_metrics"] >= 40
    assert reports[0]["n_slices"] >= 60
    assert reports[0]["n_units"] == 1333
    assert not missed(bootstrap_time(reports))


def test_the_cost_of_intervals_grows_with_the_queries(reports):
    assert not missed(growth("intervals", [report["timings_s"]["estimate"] for report in reports]))
