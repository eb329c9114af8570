using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Operations;

/// <summary>The properties of operations.</summary>
internal static class OperationTraits
{
    extension(OperationKind kind)
    {
        public string Name => kind.ToString().ToLowerInvariant();

        /// <summary>Gets a value that indicates whether objects are transferred in parts.</summary>
        public bool HasParts => kind is OperationKind.Get or OperationKind.Put or OperationKind.Mixed;

        /// <summary>Gets a value that indicates whether objects are uploaded in parts, whose size S3 limits.</summary>
        public bool Uploads => kind is OperationKind.Put or OperationKind.Mixed;

        /// <summary>Gets a value that indicates whether the operation needs existing objects.</summary>
        public bool NeedsObjects => kind is OperationKind.Head or OperationKind.Get or OperationKind.Mixed;

        /// <summary>Gets the field that ranks settings.</summary>
        public string Metric => kind is OperationKind.Head or OperationKind.Small ? Metrics.Requests : Metrics.Throughput;
    }
}
