namespace Transfer.S3;

/// <summary>The options of <see cref="ITransferClient.GetInfoAsync"/>.</summary>
public sealed record ObjectInfoOptions : ObjectAccessOptions;
