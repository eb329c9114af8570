using Transfer.Cli.Bench.Results;

namespace Transfer.Cli.Bench.Operations;

/// <summary>What follows from the kind of an operation.</summary>
internal static class OperationTraits
{
    extension(OperationKind kind)
    {
        public string Name => kind.ToString().ToLowerInvariant();

        /// <summary>Whether objects are moved in parts, so that there is a part size.</summary>
        public bool HasParts => kind is OperationKind.Get or OperationKind.Put or OperationKind.Mixed;

        /// <summary>Whether objects go up in parts, for which S3 has limits.</summary>
        public bool Uploads => kind is OperationKind.Put or OperationKind.Mixed;

        /// <summary>Whether there must be objects before it can begin.</summary>
        public bool NeedsObjects => kind is OperationKind.Head or OperationKind.Get or OperationKind.Mixed;

        /// <summary>What settings are ranked by.</summary>
        public string Metric => kind is OperationKind.Head or OperationKind.Small ? Metrics.Requests : Metrics.Throughput;
    }
}
