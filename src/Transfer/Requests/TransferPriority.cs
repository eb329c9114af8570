using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The share of the request slots that a transfer gets if other transfers of the same client are waiting for slots too.</summary>
/// <remarks>A priority only divides slots. A transfer with low priority uses all slots that no other transfer needs.</remarks>
[JsonConverter(typeof(JsonStringEnumConverter<TransferPriority>))]
public enum TransferPriority
{
    /// <summary>Low priority: a quarter of the bytes that a transfer of normal priority gets in the same time.</summary>
    Low = -1,

    /// <summary>Normal priority. This is the default.</summary>
    Normal = 0,

    /// <summary>High priority: four times the bytes that a transfer of normal priority gets in the same time.</summary>
    High = 1,
}
