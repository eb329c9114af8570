namespace Transfer.Cli.Commands;

/// <summary>The result of one step of the demonstration.</summary>
/// <param name="Name">The name of the step.</param>
/// <param name="Bytes">The bytes that were processed.</param>
/// <param name="Elapsed">The time it took.</param>
/// <param name="PeakBufferBytes">The peak of the buffer memory; null if the step doesn't use the library.</param>
/// <param name="ProcessMemoryBytes">The peak of the process memory during the step, including the server.</param>
/// <param name="Verdict">Whether the content is verified, for people.</param>
/// <param name="Checksum">The result of the verification; null if there is none.</param>
internal sealed record DemoStep(
    string Name, long Bytes, TimeSpan Elapsed, long? PeakBufferBytes, long ProcessMemoryBytes, string Verdict, ChecksumVerdict? Checksum = null);
