namespace Transfer;

/// <summary>Which way the bytes go.</summary>
public enum TransferDirection
{
    /// <summary>From the store to here.</summary>
    Download,

    /// <summary>From here to the store.</summary>
    Upload,

    /// <summary>Inside the store: no byte passes here.</summary>
    Copy,
}
