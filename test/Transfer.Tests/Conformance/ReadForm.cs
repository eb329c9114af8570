namespace Transfer.Tests.Conformance;

/// <summary>The ways in which a stream can be read into an array.</summary>
public enum ReadForm
{
    SyncArray,
    SyncSpan,
    AsyncArray,
    AsyncMemory,
    BeginEnd,
}
