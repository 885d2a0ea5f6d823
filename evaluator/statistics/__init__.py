"""How sure a score is: resampling, intervals, tests."""
