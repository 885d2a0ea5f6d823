"""The mini benchmark: scenes drawn by code, with every positive and hard negative known by construction."""
