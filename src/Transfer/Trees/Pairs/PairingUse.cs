namespace Transfer.S3.Trees;

/// <summary>What two sides are used for.</summary>
internal enum PairingUse
{
    /// <summary>The target becomes the same as the source. What was listed must not have changed.</summary>
    Sync,

    /// <summary>What is selected is copied, as it is then.</summary>
    Copy,

    /// <summary>Both sides are compared.</summary>
    Verify,
}
