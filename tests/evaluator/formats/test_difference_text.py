from evaluator.formats.difference_text import difference_words
from evaluator.public.manifest import Display

PERCENT = Display(percent=True, decimals=2)
FRACTION = Display(percent=False, decimals=4)


def test_a_run_that_is_worse_is_named_second_and_its_interval_turned_around():
    words = difference_words("mAP@10", -0.021, (-0.03, -0.012), 0.0002, FRACTION)
    assert words == "B is better than A on mAP@10 by 0.0210 (95 % interval 0.0120 to 0.0300, p = 0.0002)."


def test_on_other_metrics_a_run_is_higher_and_not_better():
    words = difference_words("negative_recall@10", 0.1, (0.05, 0.15), 0.001, PERCENT, is_exploratory=True)
    assert words.startswith("A is higher than B on negative_recall@10 by 10.00 points")


def test_a_p_value_just_above_the_limit_is_not_significant_and_keeps_its_sign():
    words = difference_words("mAP@10", -0.01, (-0.02, -0.001), 0.0501, PERCENT)
    assert words.startswith(
        "No significant difference on mAP@10 (difference -1.00 points, 95 % interval -2.00 to -0.10"
    )


def test_without_a_test_nobody_is_called_better():
    words = difference_words("relative_delta_mAP@10", 0.1, (0.05, 0.15), None, PERCENT)
    assert words.endswith(
        "is higher than B on relative_delta_mAP@10 by 10.00 points (95 % interval 5.00 to 15.00, no test is made)."
    )


def test_a_difference_without_an_interval_says_so():
    assert "no interval" in difference_words("mAP@10", 1.0, None, 0.0001, FRACTION)


def test_equal_runs_and_missing_values_have_words_of_their_own():
    assert difference_words("mAP@10", 0.0, None, 1.0, FRACTION) == "The runs do not differ on mAP@10."
    assert "not given for both" in difference_words("mAP@50", None, None, None, FRACTION)


def test_runs_can_have_other_names():
    words = difference_words("mAP@10", 0.02, None, 0.01, FRACTION, names=("Pic2Word", "SEARLE"))
    assert words.startswith("Pic2Word is better than SEARLE")
