namespace Transfer.Scheduling;

/// <summary>What a store does with If-None-Match on a write.</summary>
internal enum ConditionLevel
{
    /// <summary>Not known yet: a success may be that of a store that ignores it.</summary>
    Unknown = 0,

    /// <summary>It has answered 412, so it honors the header.</summary>
    Honored,

    /// <summary>It has replaced an object in spite of the header.</summary>
    Ignored,

    /// <summary>It fails requests that have the header.</summary>
    Refused,
}
