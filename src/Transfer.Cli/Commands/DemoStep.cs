namespace Transfer.Cli.Commands;

/// <summary>What one step of the demonstration showed.</summary>
/// <param name="Name">What was done.</param>
/// <param name="Bytes">Bytes moved.</param>
/// <param name="Elapsed">The time it took.</param>
/// <param name="PeakBufferBytes">The most bytes of buffer at once; null where the library was not used.</param>
/// <param name="ProcessMemoryBytes">The most memory that the process was seen to hold during the step; the server is in it.</param>
/// <param name="Verdict">What is known of the content, for a person.</param>
/// <param name="Checksum">The library's verdict, where it gave one.</param>
internal sealed record DemoStep(
    string Name, long Bytes, TimeSpan Elapsed, long? PeakBufferBytes, long ProcessMemoryBytes, string Verdict, ChecksumVerdict? Checksum = null);
