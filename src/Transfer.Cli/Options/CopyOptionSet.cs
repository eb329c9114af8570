using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of a copy that become options of the library.</summary>
internal sealed record CopyOptionSet(TransferOptions Transfer, ReadOptions Read, WriteOptions Write, Option<bool> Through);
