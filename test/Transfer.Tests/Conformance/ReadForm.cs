namespace Transfer.S3.Tests.Conformance;

/// <summary>The methods that read a stream into an array.</summary>
public enum ReadForm
{
    SyncArray,
    SyncSpan,
    AsyncArray,
    AsyncMemory,
    BeginEnd,
}
