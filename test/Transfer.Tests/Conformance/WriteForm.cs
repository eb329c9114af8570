namespace Transfer.Tests.Conformance;

/// <summary>The ways in which an array can be written to a stream.</summary>
public enum WriteForm
{
    SyncArray,
    SyncSpan,
    AsyncArray,
    AsyncMemory,
    BeginEnd,
}
