namespace Transfer.Wire;

/// <summary>The object that an upload is to publish, beside its bytes.</summary>
/// <param name="Address">Where, and what it takes to be let in.</param>
/// <param name="Checksum">What it is checked by.</param>
/// <param name="Condition">What must hold at the moment of publishing.</param>
/// <param name="Headers">What it is to be.</param>
internal sealed record NewObject(ObjectAddress Address, ChecksumAlgorithm Checksum, WriteCondition Condition, ObjectHeaders Headers);
