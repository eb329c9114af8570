namespace Transfer.Scheduling;

/// <summary>Specifies how a store handles If-None-Match on writes.</summary>
internal enum ConditionLevel
{
    /// <summary>Not known yet. A store that ignores the header can return a success too.</summary>
    Unknown = 0,

    /// <summary>The store returned status 412, so it honors the header.</summary>
    Honored,

    /// <summary>The store replaced an object despite the header.</summary>
    Ignored,

    /// <summary>The store refuses requests with the header.</summary>
    Refused,
}
