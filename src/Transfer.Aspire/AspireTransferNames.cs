namespace Transfer.S3.Aspire;

/// <summary>The names that an application can use.</summary>
internal static class AspireTransferNames
{
    /// <summary>The section of the settings.</summary>
    public const string Section = "Aspire:Transfer:S3";

    /// <summary>The section of the options of the client, in that of the settings.</summary>
    public const string Options = "Options";

    /// <summary>The name of the health check, which the name of a keyed client follows.</summary>
    public const string HealthCheck = "Transfer.S3";
}
