namespace Transfer.S3.Cli.Connections;

/// <summary>The settings of the stores of a job.</summary>
/// <param name="Sides">The stores of the source and the target.</param>
/// <param name="Folder">The store of the folder of the job, if the sides are in two stores and the folder is in a bucket; otherwise, null.</param>
internal sealed record JobStores(CopyStores Sides, ConnectionSettings? Folder);
