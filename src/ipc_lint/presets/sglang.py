"""sglang, for code that imports it without containing it: the names of its carriers and senders.

A table of facts (qualified names, fields, parameters) over the releases from 0.5.4 on. In sglang's
own tree nothing of it is used: there everything is inferred.
"""

from __future__ import annotations

from ipc_lint.presets.table import ClassEntry, Preset, SenderEntry

_FIELD, _BATCH = "http_worker_ipc", "http_worker_ipcs"
_MESSAGES = "sglang.srt.managers.io_struct"

_SINGLE = """
    AbortReq ActiveRanksOutput AddExternalCorpusReqInput AddExternalCorpusReqOutput
    AttachHiCacheStorageReqInput AttachHiCacheStorageReqOutput BackupDramReq BeginWeightUpdateReqInput
    BeginWeightUpdateReqOutput BlockReqInput CheckWeightsReqInput CheckWeightsReqOutput
    ClearHiCacheReqInput ClearHiCacheReqOutput CloseSessionReqInput ConfigureLoggingReq
    ContinueGenerationReqInput DestroyWeightsUpdateGroupReqInput DestroyWeightsUpdateGroupReqOutput
    DetachHiCacheStorageReqInput DetachHiCacheStorageReqOutput DumperControlReqInput
    DumperControlReqOutput ElasticScaleUpdateReq EncoderDispatchErrorReq EndWeightUpdateReqInput
    EndWeightUpdateReqOutput ExpertDistributionReq ExpertDistributionReqOutput FlushCacheReqInput
    FlushCacheReqOutput FreezeGCReq GetHiCacheL3LayoutReq GetHiCacheL3LayoutReqOutput
    GetInternalStateReq GetInternalStateReqOutput GetLoadReqInput GetLoadReqOutput GetLoadsReqInput
    GetLoadsReqOutput GetWeightsByNameReqInput GetWeightsByNameReqOutput HealthCheckOutput
    InitWeightsSendGroupForRemoteInstanceReqInput InitWeightsSendGroupForRemoteInstanceReqOutput
    InitWeightsUpdateGroupReqInput InitWeightsUpdateGroupReqOutput LazyDumpTensorsReqInput
    LazyDumpTensorsReqOutput ListExternalCorporaReqInput ListExternalCorporaReqOutput LoRAUpdateOutput
    LoadLoRAAdapterFromTensorsReqInput LoadLoRAAdapterReqInput OpenSessionReqInput OpenSessionReqOutput
    ParseFunctionCallReq PauseContinueBroadcastReq PauseGenerationReqInput PdRoleSwitchReqInput
    PdRoleSwitchReqOutput ProfileReq ProfileReqInput ProfileReqOutput ReleaseMemoryOccupationReqInput
    ReleaseMemoryOccupationReqOutput RemoveExternalCorpusReqInput RemoveExternalCorpusReqOutput
    ResumeMemoryOccupationReqInput ResumeMemoryOccupationReqOutput RpcReqInput RpcReqOutput
    ScaleElasticEPReqInput ScaleElasticEPReqOutput SendWeightsToRemoteInstanceReqInput
    SendWeightsToRemoteInstanceReqOutput SeparateReasoningReqInput SetInjectDumpMetadataReqInput
    SetInjectDumpMetadataReqOutput SetInternalStateReq SetInternalStateReqOutput ShutdownReq
    SlowDownReqInput SlowDownReqOutput TokenizedEmbeddingReqInput TokenizedGenerateReqInput
    TokenizerWorkerRegistrationReq UnloadLoRAAdapterReqInput UpdateExpertBackupReq
    UpdateWeightFromDiskReqInput UpdateWeightFromDiskReqOutput UpdateWeightVersionReqInput
    UpdateWeightVersionReqOutput UpdateWeightsFromDistributedReqInput
    UpdateWeightsFromDistributedReqOutput UpdateWeightsFromIPCReqInput UpdateWeightsFromIPCReqOutput
    UpdateWeightsFromTensorReqInput UpdateWeightsFromTensorReqOutput VertexGenerateReqInput
    WatchLoadUpdateReq
"""
_BATCHED = """
    BatchEmbeddingOutput BatchMultimodalDecodeReq BatchMultimodalOutput BatchStrOutput
    BatchTokenIDOutput BatchTokenizedEmbeddingReqInput BatchTokenizedGenerateReqInput BeamSearchOutput
"""

PRESET = Preset(
    fields=(_FIELD,),
    classes=(
        ClassEntry(_MESSAGES, "BaseReq", fields=("rid", _FIELD)),
        ClassEntry(_MESSAGES, "BaseBatchReq", fields=("rids", _BATCH)),
        # Stamped at the API until 0.5.12, a plain carrier since: either way it has the field.
        ClassEntry(_MESSAGES, "GenerateReqInput", fields=("rid", _FIELD)),
        ClassEntry(_MESSAGES, "EmbeddingReqInput", fields=("rid", _FIELD)),
        *(ClassEntry(_MESSAGES, name, base="BaseReq") for name in _SINGLE.split()),
        *(ClassEntry(_MESSAGES, name, base="BaseBatchReq") for name in _BATCHED.split()),
        ClassEntry(
            "sglang.srt.managers.schedule_batch",
            "Req",
            # The first four by place; everything behind them is given by keyword.
            params=("rid", "origin_input_text", "origin_input_ids", "sampling_params", "*args", _FIELD),
        ),
    ),
    senders=tuple(
        SenderEntry(
            module,
            "SenderWrapper",
            "send_output",
            output="output",
            origin="recv_obj",
            writes=((_MESSAGES, "BaseReq"), (_MESSAGES, "BaseBatchReq")),
        )
        for module in (
            "sglang.srt.managers.scheduler",
            "sglang.srt.managers.scheduler_components.output_sender",
        )
    ),
)
