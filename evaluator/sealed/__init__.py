"""What a method may not see: judgements and held-out slices."""
