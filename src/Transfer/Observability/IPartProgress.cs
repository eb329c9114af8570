namespace Transfer.Observability;

/// <summary>
/// Progress that is also reported for every part that is done, however fast the parts come. <see cref="IProgress{T}.Report"/> is called where the bytes move and
/// under a lock, so it must only take the report and return.
/// </summary>
internal interface IPartProgress : IProgress<TransferProgress>;
