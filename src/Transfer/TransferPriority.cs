namespace Transfer;

/// <summary>The share of the request slots that a transfer gets while others of the same client wait for slots too.</summary>
/// <remarks>A priority divides slots; it doesn't stop anything. A transfer of low priority has all slots that no other transfer needs.</remarks>
public enum TransferPriority
{
    /// <summary>A quarter of the bytes that a transfer of normal priority gets in the same time.</summary>
    Low = -1,

    /// <summary>The default.</summary>
    Normal = 0,

    /// <summary>Four times the bytes that a transfer of normal priority gets in the same time.</summary>
    High = 1,
}
