namespace Transfer.S3.Stores;

/// <summary>Something that is known about a store.</summary>
/// <param name="Trait">What it supports or doesn't support.</param>
/// <param name="Scope">The bucket, the address of the store, or <see cref="StoreProfile.EveryBucket"/>.</param>
/// <param name="Support">Whether it does.</param>
/// <param name="Reason">The error or the observation that shows it; empty if there is none.</param>
/// <param name="Left">The time until it is forgotten.</param>
internal sealed record StoreFact(StoreTrait Trait, string Scope, StoreSupport Support, string Reason, TimeSpan Left);
