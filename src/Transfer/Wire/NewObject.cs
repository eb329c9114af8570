namespace Transfer.S3.Wire;

/// <summary>An object to publish, without its content.</summary>
/// <param name="Address">The address and the access options.</param>
/// <param name="Checksum">The algorithm of the checksum.</param>
/// <param name="Condition">The condition for publishing it.</param>
/// <param name="Headers">The headers.</param>
internal sealed record NewObject(ObjectAddress Address, ChecksumAlgorithm Checksum, WriteCondition Condition, ObjectHeaders Headers);
