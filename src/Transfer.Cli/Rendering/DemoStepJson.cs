namespace Transfer.Cli.Rendering;

/// <summary>One step of the demonstration: a line of --json.</summary>
internal sealed record DemoStepJson(
    string Step, long Bytes, double Seconds, double MibPerSecond, long PeakBufferBytes, long ProcessMemoryBytes, ChecksumJson Checksum);
