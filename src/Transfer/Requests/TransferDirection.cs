using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The direction of a transfer.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<TransferDirection>))]
public enum TransferDirection
{
    /// <summary>From the store to this machine.</summary>
    Download,

    /// <summary>From this machine to the store.</summary>
    Upload,

    /// <summary>Within the store. The data isn't transferred through this machine.</summary>
    Copy,
}
