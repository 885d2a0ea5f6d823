"""Result files to runs, with every problem reported."""
