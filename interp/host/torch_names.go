package host

import (
	"slices"
	"strings"
)

// torchNames are the public names of torch's and Triton's modules that newt lacks, by module, and those of Tensor: what
// a script asks for among these is newt's lack, any other name is torch's own AttributeError. They are those of torch's
// reference.
var torchNames = map[string]string{
	"Tensor": `__array__ __cuda_array_interface__ __dlpack__ addbmm addbmm_ align_as align_to angle apply_ arccosh_
		arcsin_ argrelextrema as_subclass ccol_indices cfloat cdouble chalf cholesky_inverse cholesky_solve coalesce
		col_indices conj_physical corrcoef cov crow_indices data_ptr dense_dim dequantize device_mesh diagonal_scatter
		diff dsplit erfinv_ exponential_ fill_diagonal_ geqrf grad_dtype grad_fn has_names heaviside_ histogram hsplit hypot_
		i0 i0_ igamma igamma_ igammac igammac_ imag index_reduce index_reduce_ indices int_repr ipu is_coalesced
		is_conj is_distributed is_mkldnn is_mps is_neg is_nested is_set_to is_shared is_xla is_xpu istft itemsize
		lgamma_ logit_ lu lu_solve map_ map2_ matrix_exp module_load multigammaln mvlgamma mvlgamma_ names nanmedian
		nanquantile narrow_copy new nextafter nextafter_ nonzero_static orgqr ormqr output_nr pinverse polygamma
		polygamma_ put put_ q_per_channel_axis q_per_channel_scales q_scale q_zero_point qscheme ravel real refine_names
		register_post_accumulate_grad_hook reinforce rename rename_ renorm renorm_ resize resize_ resize_as resize_as_
		resize_as_sparse_ resolve_neg row_indices select_scatter set_ shares_memory sinc sinc_ slice_scatter sparse_dim
		sparse_mask sparse_resize_ spmm sspaddmm stft storage storage_type svd swapaxes_ swapdims_ symeig to_dense
		to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr
		triangular_solve unsafe_chunk unsafe_split untyped_storage values vsplit xpu sparse_mask volatile`,
	"torch": `BFloat16Storage BoolStorage ByteStorage CharStorage DisableTorchFunction DisableTorchFunctionSubclass
		DoubleStorage FloatStorage FunctionSchema HalfStorage IntStorage LongStorage QInt32Storage ShortStorage Storage
		Stream Event SymBool SymFloat SymInt TypedStorage UntypedStorage accelerator addbmm adjoint affine_grid_generator
		align_tensors angle ao arange_ argrelextrema as_strided_copy
		as_strided_scatter asarray atleast_ autocast_decrement_nesting autocast_increment_nesting avg_pool1d
		bartlett_window bfloat bilinear binary_cross_entropy_with_logits bits16 blackman_window bucketize_ can_cast
		cdouble cfloat chain_matmul chalf cholesky_inverse cholesky_solve classes clear_autocast_cache column_stack_
		complex complex128 complex32 complex64 compiled_with_cxx11_abi cond conj_physical constant_pad_nd corrcoef cov
		cpp cpu ctc_loss cudnn_convolution cudnn_is_acceptable deterministic dequantize diagonal_copy diagonal_scatter
		dropout dsmm dsplit dtype_ embedding embedding_bag empty_permuted empty_quantized export fake_quantize_per_tensor_affine
		feature_dropout fft fill fork frobenius_norm from_dlpack frombuffer func functional futures fx
		gradient grid_sampler group_norm gru gru_cell hamming_window hann_window histogram histogramdd hsplit hub i0 igamma
		igammac imag index_reduce instance_norm is_anomaly_check_nan_enabled is_anomaly_enabled is_autocast_cache_enabled
		is_autocast_cpu_enabled is_conj is_deterministic_algorithms_warn_only_enabled is_distributed is_inference
		is_inference_mode_enabled is_neg is_storage is_vulkan_available is_warn_always_enabled isreal istft jagged
		kaiser_window kl_div layer_norm lobpcg logical_ lstm lstm_cell lu lu_solve lu_unpack manual_seed_all masked
		matrix_exp max_pool1d max_pool2d memory_format mkldnn_adaptive_avg_pool2d monitor mps mtia multiprocessing
		mvlgamma nanmedian nanquantile native_batch_norm native_dropout native_group_norm native_layer_norm nested
		nextafter nonzero_static nuclear_norm ops_ orgqr ormqr overrides package parse_ir parse_schema pca_lowrank
		per_channel_affine per_tensor_affine permute_copy pinverse pixel_shuffle poisson polar polygamma prepare_multiprocessing_environment
		profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 put qint32 qint8 qscheme quantization quantize_per_channel
		quantize_per_tensor quasirandom quint8 range real relu6 renorm resize_as_ resolve_neg rms_norm rnn_tanh rnn_relu rrelu
		segment_reduce select_copy select_scatter selu_ set_anomaly_enabled set_autocast_cache_enabled
		set_autocast_enabled set_autocast_gpu_dtype set_default_tensor_type set_deterministic_debug_mode
		set_flush_denormal set_warn_always signal sinc slice_inverse slice_scatter smm sparse sparse_bsc sparse_bsr
		sparse_compressed_tensor sparse_coo sparse_coo_tensor sparse_csc sparse_csr sparse_csr_tensor sspaddmm stft
		storage svd_lowrank sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt symeig testing_ threshold
		torch_version trapezoid trapz triangular_solve triplet_margin_loss types uint1 uint2 uint3 uint4 uint5 uint6 uint7
		unify_type_list unravel_index unsafe_chunk unsafe_split utils_ vitals_enabled vmap vsplit wait while_loop
		windows xpu zeros_ bits8 float8_e8m0fnu float4_e2m1fn_x2 nn_ onnx distributions get_device_module get_file_path
		get_float32_matmul_precision get_num_interop_threads get_deterministic_debug_mode get_autocast_cpu_dtype
		channels_last_3d index_put_ int1 int2 int3 int4 int5 int6 int7 mlu view_as_complex view_as_real`,
	"torch.nn": `AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d
		AvgPool3d CTCLoss ChannelShuffle CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d
		ConstantPad3d ConvTranspose3d CosineEmbeddingLoss CrossMapLRN2d DataParallel Dropout3d EmbeddingBag
		FeatureAlphaDropout Fold FractionalMaxPool2d FractionalMaxPool3d GRUCell GaussianNLLLoss HingeEmbeddingLoss
		InstanceNorm3d LPPool1d LPPool2d LPPool3d LSTMCell LazyBatchNorm1d LazyBatchNorm2d LazyConv1d LazyConv2d
		LazyLinear LocalResponseNorm MarginRankingLoss MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d
		MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss2d PixelUnshuffle PoissonNLLLoss RNNBase
		RNNCell RNNCellBase RReLU ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
		ReplicationPad3d SoftMarginLoss Softmax2d SyncBatchNorm Transformer TransformerDecoder TransformerDecoderLayer
		TransformerEncoder TripletMarginLoss TripletMarginWithDistanceLoss UninitializedBuffer UninitializedParameter
		Unflatten UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad3d attention backends common_types grad
		intrinsic modules parallel qat quantizable quantized`,
	"torch.nn.functional": `adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d affine_grid
		avg_pool3d bilinear channel_shuffle conv_tbc conv_transpose3d cosine_embedding_loss ctc_loss dropout3d
		embedding_bag feature_alpha_dropout fold fractional_max_pool2d fractional_max_pool3d gaussian_nll_loss
		grid_sample grouped_mm hardswish_ hinge_embedding_loss local_response_norm lp_pool1d lp_pool2d lp_pool3d
		margin_ranking_loss max_pool1d_with_indices max_pool2d_with_indices max_pool3d max_unpool1d max_unpool2d
		max_unpool3d multi_head_attention_forward multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss
		native_channel_shuffle pdist poisson_nll_loss rrelu rrelu_ scaled_grouped_mm scaled_mm soft_margin_loss
		triplet_margin_loss triplet_margin_with_distance_loss upsample upsample_bilinear upsample_nearest`,
	"torch.cuda": `BFloat16Storage BoolTensor ByteTensor CUDAGraph CUDAPluggableAllocator CharTensor DeferredCudaCallError
		DoubleTensor ExternalStream FloatTensor HalfTensor IntTensor LongTensor MemPool ShortTensor StreamContext amp
		caching_allocator_alloc caching_allocator_delete caching_allocator_enable can_device_access_peer change_current_allocator
		check_error clock_rate comm cudaStatus cudart current_blas_handle default_generators device_memory_used
		get_allocator_backend get_arch_list get_gencode_flags get_memory_info get_per_process_memory_fraction get_rng_state_all
		get_stream_from_external get_sync_debug_mode graph graph_pool_handle graphs has_half has_magma host_memory_stats
		is_current_stream_capturing is_tf32_supported jiterator list_gpu_processes make_graphed_callables max_memory_cached memory
		memory_cached memory_snapshot memory_stats memory_stats_as_nested_dict memory_summary memory_usage nccl nvtx
		power_draw profiler random reset_accumulated_memory_stats reset_max_memory_cached seed_all set_per_process_memory_fraction
		set_rng_state_all set_sync_debug_mode sparse streams temperature threading tunable use_mem_pool
		utilization`,
	"triton": `InterpreterError KernelInterface MockTensor TensorWrapper aggregate backends experimental must_use_result profiler
		set_async_allocator`,
}

// torchLacks reports whether torch has a name that newt lacks; it cannot say so of modules without a list.
func torchLacks(module, name string) bool {
	list, known := torchNames[module]
	return !known || slices.Contains(strings.Fields(list), name) || strings.HasPrefix(name, "_")
}
