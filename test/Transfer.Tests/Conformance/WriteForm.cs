namespace Transfer.S3.Tests.Conformance;

/// <summary>The methods that write an array to a stream.</summary>
public enum WriteForm
{
    SyncArray,
    SyncSpan,
    AsyncArray,
    AsyncMemory,
    BeginEnd,
}
