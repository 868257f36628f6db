"""What a compiled rule holds, and the layers that rules come from. No input or output."""
