namespace Transfer;

/// <summary>What a failed object means to the others of its transfer.</summary>
public enum FailurePolicy
{
    /// <summary>The first failure stops the transfer. What is under way is cancelled; objects that are done stay.</summary>
    Abort = 0,

    /// <summary>The others go on: every object is tried, whatever the failures are. The result counts them, and keeps the first.</summary>
    Continue,
}
